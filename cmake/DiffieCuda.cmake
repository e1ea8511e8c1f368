# CUDA's compiler and libraries. 90 is Hopper; 75, 80, 89 and 100 are Turing, Ampere, Ada and Blackwell.
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
enable_language(CUDA)
find_package(CUDAToolkit 12.0 REQUIRED)
