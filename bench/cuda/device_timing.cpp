#include "device_timing.h"

#include <algorithm>
#include <cmath>

#include "cuda/graph.h"

namespace diffie::cuda {
namespace {

constexpr std::size_t kPool = 1 << 22;
constexpr std::size_t kLeastCalls = 48;  // in a graph
constexpr int kWarmUp = 3;
constexpr int kReplays = 25;

struct DestroyEvent {
  void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
};
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent>;

Event make_event() {
  cudaEvent_t event = nullptr;
  DIFFIE_CUDA_CHECK(cudaEventCreate(&event));
  return Event(event);
}

}  // namespace

double median_us(const Stream& stream, std::size_t copies,
                 const std::function<void(std::size_t)>& call) {
  call(0);  // loads the kernel, which a capture may not
  DIFFIE_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
  const std::size_t calls = (kLeastCalls + copies - 1) / copies * copies;
  const GraphExecutable graph = record_graph(stream.get(), [&] {
    for (std::size_t i = 0; i < calls; ++i) call(i % copies);
  });
  const Event begin = make_event(), end = make_event();
  std::vector<float> times;
  for (int replay = 0; replay < kWarmUp + kReplays; ++replay) {
    DIFFIE_CUDA_CHECK(cudaEventRecord(begin.get(), stream.get()));
    DIFFIE_CUDA_CHECK(cudaGraphLaunch(graph.get(), stream.get()));
    DIFFIE_CUDA_CHECK(cudaEventRecord(end.get(), stream.get()));
    DIFFIE_CUDA_CHECK(cudaEventSynchronize(end.get()));
    float ms = 0;
    DIFFIE_CUDA_CHECK(cudaEventElapsedTime(&ms, begin.get(), end.get()));
    if (replay >= kWarmUp) times.push_back(ms);
  }
  std::nth_element(times.begin(), times.begin() + kReplays / 2, times.end());
  return 1e3 * static_cast<double>(times[kReplays / 2]) / static_cast<double>(calls);
}

std::size_t copies_beyond_cache(double bytes_of_a_call) {
  int device = 0, cache = 0;
  DIFFIE_CUDA_CHECK(cudaGetDevice(&device));
  DIFFIE_CUDA_CHECK(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device));
  const double copies = std::ceil(3.0 * cache / bytes_of_a_call);
  return static_cast<std::size_t>(std::clamp(copies, 2.0, 128.0));
}

RandomData::RandomData() {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  pool_.resize(kPool);
  for (float& value : pool_) value = normal(generator);
  device_pool_ = upload<Bf16>(pool_);
}

std::vector<float> RandomData::floats(std::size_t count, float scale) {
  std::vector<float> values(count);
  for (float& value : values) {
    value = pool_[next_] * scale;
    next_ = (next_ + 1) % kPool;
  }
  return values;
}

DeviceArray<Bf16> RandomData::bf16(std::size_t count) {
  DeviceArray<Bf16> array;
  Bf16* const to = array.room(count);
  for (std::size_t done = 0; done < count;) {
    const std::size_t some = std::min(count - done, kPool - next_);
    DIFFIE_CUDA_CHECK(cudaMemcpy(to + done, device_pool_.data() + next_, some * sizeof(Bf16),
                                 cudaMemcpyDeviceToDevice));
    done += some;
    next_ = (next_ + some) % kPool;
  }
  return array;
}

}  // namespace diffie::cuda
