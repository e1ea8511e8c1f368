// The parts of LibTorch that the trainer uses: tensors, autograd, seeds. No torch::nn and no
// torch::optim, which double the compile time; this header is precompiled.
#pragma once

#include <torch/autograd.h>
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/utils.h>
#include <torch/version.h>

#define DIFFIE_TORCH2 (TORCH_VERSION_MAJOR >= 2)
