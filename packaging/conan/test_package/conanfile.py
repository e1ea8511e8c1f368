import os
from io import StringIO

from conan import ConanFile
from conan.errors import ConanException
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class DiffieTestConan(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain", "VirtualRunEnv"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if not can_run(self):
            return
        for program in ("consumer_cpp", "consumer_c"):
            out = StringIO()
            self.run(os.path.join(self.cpp.build.bindir, program), env="conanrun", stdout=out)
            if "polonium" not in out.getvalue():
                raise ConanException(f"{program} finds no triple: {out.getvalue()}")
