// Loops, a reduction, a sort, a concurrent map and a pipeline on two threads.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <oneapi/tbb.h>

int main() {
  namespace tbb = oneapi::tbb;
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
  constexpr std::size_t kCount = 1 << 20;
  std::vector<std::uint32_t> numbers(kCount);
  std::uint64_t total = 0;
  for (unsigned round = 0; round < 40; round++) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, kCount, 1024), [&](const auto &range) {
      for (std::size_t i = range.begin(); i != range.end(); ++i) {
        numbers[i] = static_cast<std::uint32_t>(i + round) * 2654435761u;
      }
    });
    total += tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, kCount, 1024), std::uint64_t{0},
        [&](const auto &range, std::uint64_t sum) {
          for (std::size_t i = range.begin(); i != range.end(); ++i) sum += numbers[i] >> 7;
          return sum;
        },
        [](std::uint64_t left, std::uint64_t right) { return left + right; });
    tbb::parallel_sort(numbers.begin(), numbers.begin() + kCount / 8);
    total = total * 31 + numbers[kCount / 16];

    tbb::concurrent_hash_map<std::uint32_t, std::uint32_t> counts;
    tbb::parallel_for(std::size_t{0}, kCount / 16, [&](std::size_t i) {
      tbb::concurrent_hash_map<std::uint32_t, std::uint32_t>::accessor place;
      counts.insert(place, static_cast<std::uint32_t>(i * 7919 % 5000));
      place->second++;
    });
    total += counts.size();

    std::size_t next = 0;
    tbb::parallel_pipeline(
        8, tbb::make_filter<void, std::size_t>(
               tbb::filter_mode::serial_in_order,
               [&](tbb::flow_control &control) {
                 if (next >= 2000) control.stop();
                 return next++;
               }) &
               tbb::make_filter<std::size_t, std::uint64_t>(
                   tbb::filter_mode::parallel,
                   [&](std::size_t chunk) {
                     std::uint64_t hash = chunk;
                     for (std::size_t i = 0; i < 256; i++) {
                       hash = hash * 31 + numbers[(chunk * 256 + i) % kCount];
                     }
                     return hash;
                   }) &
               tbb::make_filter<std::uint64_t, void>(tbb::filter_mode::serial_in_order,
                                                     [&](std::uint64_t hash) { total ^= hash; }));
  }
  std::printf("checksum %llu\n", static_cast<unsigned long long>(total));
}
