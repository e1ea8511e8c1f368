# diffie_torch: LibTorch as an interface target.
#
# DIFFIE_TORCH_DIR names the folder of a PyTorch wheel (the one with include/ and lib/); its headers
# and libraries are then used as they are, with no need of a CUDA toolkit. Without it
# find_package(Torch) decides.
set(DIFFIE_TORCH_DIR "" CACHE PATH "Folder 'torch' of a PyTorch wheel, instead of find_package")

option(DIFFIE_CUDA_GRAPHS "Record training steps as CUDA graphs where CUDA's headers are found" ON)

add_library(diffie_torch INTERFACE)

if(DIFFIE_TORCH_DIR)
  set(torch_lib "${DIFFIE_TORCH_DIR}/lib")
  if(NOT EXISTS "${torch_lib}/libtorch_cpu.so")
    message(FATAL_ERROR "DIFFIE_TORCH_DIR: no lib/libtorch_cpu.so in ${DIFFIE_TORCH_DIR}")
  endif()
  # A wheel brings headers of other libraries along (fmt, nlohmann), in other versions than those
  # we link: a folder of links leaves them out.
  set(torch_include "${PROJECT_BINARY_DIR}/torch-include")
  file(MAKE_DIRECTORY "${torch_include}")
  foreach(entry ATen c10 caffe2 torch)
    file(CREATE_LINK "${DIFFIE_TORCH_DIR}/include/${entry}" "${torch_include}/${entry}" SYMBOLIC)
  endforeach()
  target_include_directories(diffie_torch SYSTEM INTERFACE
    "${torch_include}" "${torch_include}/torch/csrc/api/include")
  # --no-as-needed: the CUDA library registers itself, no symbol of it is named by us.
  target_link_options(diffie_torch INTERFACE -Wl,--no-as-needed -Wl,--allow-shlib-undefined)
  foreach(library torch_cpu torch_cuda c10 c10_cuda)
    if(EXISTS "${torch_lib}/lib${library}.so")
      target_link_libraries(diffie_torch INTERFACE "${torch_lib}/lib${library}.so")
    endif()
  endforeach()
  # Libraries that the wheel expects beside it; found by its own run path where they are installed.
  file(GLOB nvidia_libs "${DIFFIE_TORCH_DIR}/../nvidia/*/lib")
  foreach(folder ${torch_lib} ${nvidia_libs})
    target_link_options(diffie_torch INTERFACE "-Wl,-rpath,${folder}" "-Wl,-rpath-link,${folder}")
  endforeach()
  target_link_options(diffie_torch INTERFACE -Wl,--disable-new-dtags)
  # Recording CUDA graphs needs the runtime's headers, of the wheel's companions or of a toolkit.
  file(GLOB nvidia_includes "${DIFFIE_TORCH_DIR}/../nvidia/*/include")
  find_program(DIFFIE_NVCC nvcc HINTS /usr/local/cuda/bin NO_CACHE)
  cmake_path(GET DIFFIE_NVCC PARENT_PATH nvcc_folder)
  find_path(DIFFIE_CUDA_INCLUDE crt/host_config.h
    HINTS ${nvidia_includes} "${nvcc_folder}/../include" "${nvcc_folder}/../targets/x86_64-linux/include" NO_CACHE)
  find_library(DIFFIE_CUDA_RUNTIME NAMES cudart libcudart.so.13 libcudart.so.12
    HINTS ${nvidia_libs} /usr/local/cuda/lib64 NO_CACHE)
  if(DIFFIE_CUDA_GRAPHS AND DIFFIE_CUDA_INCLUDE AND DIFFIE_CUDA_RUNTIME AND EXISTS "${torch_lib}/libc10_cuda.so")
    target_include_directories(diffie_torch SYSTEM INTERFACE "${DIFFIE_CUDA_INCLUDE}")
    target_link_libraries(diffie_torch INTERFACE "${DIFFIE_CUDA_RUNTIME}")
  else()
    set(DIFFIE_CUDA_RUNTIME "")
  endif()
  message(STATUS "CUDA graphs: ${DIFFIE_CUDA_RUNTIME}")
else()
  find_package(Torch REQUIRED)
  target_include_directories(diffie_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_link_libraries(diffie_torch INTERFACE ${TORCH_LIBRARIES})
  separate_arguments(torch_flags NATIVE_COMMAND "${TORCH_CXX_FLAGS}")
  target_compile_options(diffie_torch INTERFACE ${torch_flags})
endif()
