# Debian 12's g++ and packages (scripts/install-deps.sh) in place of Conan Center's: builds with no remote.
[settings]
os=Linux
arch=x86_64
build_type=Release
compiler=gcc
compiler.version=12
compiler.cppstd=20
compiler.libcxx=libstdc++11

[conf]
tools.cmake.cmaketoolchain:generator=Ninja

[platform_requires]
fmt/9.1.0
openssl/3.0.0
icu/72.1
nlohmann_json/3.11.2
cli11/2.1.2
zlib/1.2.13
zstd/1.5.4
