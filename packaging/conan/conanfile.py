# Conan 2: conan create packaging/conan --build=missing
# On Debian 12, with its own packages and no remote: --profile=packaging/conan/debian12.profile
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rm


class DiffieConan(ConanFile):
    name = "diffie"
    description = "Open information extraction by discrete diffusion"
    topics = ("nlp", "information-extraction", "openie", "triples")
    license = "Apache-2.0"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "icu": [True, False]}
    default_options = {"shared": False, "fPIC": True, "icu": True}
    implements = ["auto_shared_fpic"]

    @property
    def _checkout(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        cmake = load(self, os.path.join(self._checkout, "CMakeLists.txt"))
        self.version = re.search(r"project\(diffie VERSION ([0-9.]+)", cmake).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "apps/*", "cmake/*", "docs/*",
                        "include/*", "models/*", "share/*", "src/*"):
            copy(self, pattern, self._checkout, self.export_sources_folder)

    def requirements(self):
        self.requires("fmt/[>=9 <13]")
        self.requires("openssl/[>=3 <4]")
        if self.options.icu:
            self.requires("icu/[>=70]")
        # Seen by nobody who links diffie.
        self.requires("nlohmann_json/[>=3.11 <4]", visible=False)
        self.requires("cli11/[>=2.1 <3]", visible=False)
        self.requires("zlib/[>=1.2.11 <2]", visible=False)
        self.requires("zstd/[>=1.5 <2]", visible=False)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({
            "DIFFIE_SHARED": bool(self.options.shared),
            "DIFFIE_ICU": bool(self.options.icu),
            "DIFFIE_ARROW": False,
            "DIFFIE_LAB": False,
            "DIFFIE_SERVER": False,
            "DIFFIE_TESTS": False,
            "DIFFIE_WERROR": False,
        })
        # Conan's own presets stand beside ours.
        toolchain.user_presets_path = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        if self.options.shared:
            rm(self, "libdiffie.a", os.path.join(self.package_folder, "lib"))
            rm(self, "diffieStaticTargets*.cmake", os.path.join(self.package_folder, "lib", "cmake", "diffie"))

    def package_info(self):
        # diffie's own CMake files, as in every other installation: diffie::diffie, diffie_MODELS_DIR.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "diffie")]
        self.cpp_info.libs = ["diffie"]
        self.cpp_info.resdirs = ["share"]
        if self.settings.os == "Linux":
            self.cpp_info.system_libs = ["pthread", "m"]
        self.runenv_info.define_path("DIFFIE_MODELS", os.path.join(self.package_folder, "share", "diffie", "models"))
