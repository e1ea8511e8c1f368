#!/usr/bin/env bash
# conan_test.sh: the Conan recipe makes a package, shared and static, that a foreign project links; with Debian's
# packages in place of Conan Center's.
set -euo pipefail
cd "$(dirname "$0")/../.."
scripts/install-deps.sh python3-venv
venv=build/conan-venv
[ -x $venv/bin/conan ] || { python3 -m venv $venv && scripts/pip-install.sh $venv/bin/python packaging/conan/requirements.txt; }
export CONAN_HOME=$PWD/build/conan CMAKE_CXX_COMPILER_LAUNCHER=ccache
$venv/bin/conan remote disable '*' > /dev/null
for shared in True False; do
  echo "-- conan create, shared=$shared"
  $venv/bin/conan create packaging/conan --profile:all=packaging/conan/debian12.profile -o "diffie/*:shared=$shared" \
    -c tools.cmake.cmake_layout:test_folder="$PWD/build/conan-test" -c tools.cmake.cmaketoolchain:user_presets= \
    > build/conan.log 2>&1 || { tail -n 40 build/conan.log; exit 1; }
done
echo "conan: all well"
