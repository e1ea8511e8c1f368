// A sampler that stays on the device and takes many sentences at once: a loop of its own, for a GPU
// that must not wait for the CPU between two steps.
//
// Its contract with diffusion::Sampler: of the same model and the same settings a row has the same
// law, for both kernels, over the same times, with temperature and remasking. The random numbers
// are LibTorch's, so the rows themselves are others. What makes rows depend on each other
// (`shared`, `stratified`) it does not do, and refuses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "diffie/settings.h"
#include "train/torch_model.h"

namespace diffie::train {

// Per sentence tags [samples * length], each 0..3. Of the settings: samples, seed, steps, times,
// temperature, remask. A function of settings and sentences on one machine. A tagger has no chain:
// it takes the likeliest tag of each pass under fresh dropout, whatever `steps`, and neither times
// nor another temperature than 1 nor remasking. Throws kInvalidArgument for what cannot be done.
std::vector<std::vector<std::uint8_t>> sample_on_device(const TorchModel& model,
                                                        std::span<const Pieces> sentences,
                                                        const Settings& settings);

// Cuts sentences, given by length in rising order, into groups of at most `max_tokens` padded
// places with `samples` rows each; a group has at least one sentence. Returns the group ends.
std::vector<std::size_t> group_by_tokens(std::span<const std::size_t> lengths, std::size_t samples,
                                         std::size_t max_tokens);

}  // namespace diffie::train
