from conan import ConanFile
from conan.tools.cmake import CMake, cmake_layout


class Race(ConanFile):
    name = "race"
    version = "1.0"
    settings = "os", "compiler", "build_type", "arch"
    generators = "CMakeToolchain", "CMakeDeps"

    def layout(self):
        cmake_layout(self, build_folder=str(self.folders.build or "build"))

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()
