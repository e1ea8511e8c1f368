#!/usr/bin/env bash
# image_tree.sh BUILD_DIR TREE MODEL...: what the image holds: the programs, the libraries they load with their
# licences, the models named.
set -euo pipefail
build=$1
tree=$2
shift 2

cmake --install "$build" --prefix "$tree/usr" --component runtime --strip > /dev/null
models=$tree/usr/share/diffie/models
for model in "$models"/*; do
  [[ " $* " == *" $(basename "$model") "* ]] || rm -r "$model"
done
for model in "$@"; do
  [ -f "$models/$model/config.json" ] || { echo "no model $model in models/" >&2; exit 1; }
done
rm -r "$tree/usr/share/doc/diffie/docs"

# Libraries, under the names that the loader asks for.
for program in "$tree"/usr/bin/*; do ldd "$program"; done | grep -oE '/[^ ]+' | sort -u | while read -r library; do
  install -D "$(realpath "$library")" "$tree$library"
  package=$(dpkg-query -S "$(realpath "$library")" 2>/dev/null || dpkg-query -S "*/$(basename "$(realpath "$library")")")
  package=${package%%:*}
  install -D -m 644 "/usr/share/doc/$package/copyright" "$tree/usr/share/doc/$package/copyright"
done

mkdir -p "$tree/etc" "$tree/data" "$tree/tmp"
chmod 1777 "$tree/tmp"
echo 'nobody:x:65534:65534:nobody:/data:/usr/sbin/nologin' > "$tree/etc/passwd"
echo 'nobody:x:65534:' > "$tree/etc/group"
