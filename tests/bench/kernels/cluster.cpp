// Clustering like streamcluster: points are given to their nearest centre in
// parallel, partial sums are combined between two barriers, centres move.
#include "../bench.h"

#include <cstdint>
#include <vector>

namespace {

constexpr std::size_t kDimensions = 24;
constexpr std::size_t kPoints = 8192;
constexpr std::size_t kCentres = 12;

struct Point {
  float at[kDimensions];
  std::uint32_t centre;
};

struct Sums {
  float at[kCentres][kDimensions];
  std::uint32_t members[kCentres];
  std::uint64_t moved;
};

std::vector<Point> points(kPoints);
float centres[kCentres][kDimensions];
Sums *partial[BENCH_WORKERS];
pthread_barrier_t phase;

BENCH_NOINLINE float distance(const float *left, const float *right) {
  float sum = 0;
  for (std::size_t d = 0; d < kDimensions; d++) {
    float difference = left[d] - right[d];
    sum += difference * difference;
  }
  return sum;
}

void assign(std::size_t from, std::size_t to, Sums &sums) {
  sums = Sums{};
  for (std::size_t p = from; p < to; p++) {
    Point &point = points[p];
    std::uint32_t nearest = 0;
    float best = distance(point.at, centres[0]);
    for (std::uint32_t c = 1; c < kCentres; c++) {
      float other = distance(point.at, centres[c]);
      if (other < best) {
        best = other;
        nearest = c;
      }
    }
    if (point.centre != nearest) sums.moved++;
    point.centre = nearest;
    sums.members[nearest]++;
    for (std::size_t d = 0; d < kDimensions; d++) sums.at[nearest][d] += point.at[d];
  }
}

void move_centres() {
  for (std::size_t c = 0; c < kCentres; c++) {
    std::uint32_t members = 0;
    for (const Sums *sums : partial) members += sums->members[c];
    if (members == 0) continue;
    for (std::size_t d = 0; d < kDimensions; d++) {
      float sum = 0;
      for (const Sums *sums : partial) sum += sums->at[c][d];
      centres[c][d] = sum / static_cast<float>(members);
    }
  }
}

void work(unsigned worker, std::uint64_t rounds) {
  Sums sums;
  partial[worker] = &sums;
  std::size_t from = kPoints * worker / BENCH_WORKERS;
  std::size_t to = kPoints * (worker + 1) / BENCH_WORKERS;
  for (std::uint64_t round = 0; round < rounds; round++) {
    assign(from, to, sums);
    bench_publish(sums.moved);
    pthread_barrier_wait(&phase);
    if (worker == 0) move_centres();
    pthread_barrier_wait(&phase);
  }
}

}  // namespace

int main(int argc, char **argv) {
  std::uint64_t state = bench_seed(5);
  for (Point &point : points) {
    for (float &value : point.at) {
      value = static_cast<float>(bench_random(&state) >> 40) / 16777216.0f;
    }
    point.centre = kCentres;
  }
  for (std::size_t c = 0; c < kCentres; c++) {
    for (std::size_t d = 0; d < kDimensions; d++) centres[c][d] = points[c * 17].at[d];
  }
  pthread_barrier_init(&phase, nullptr, BENCH_WORKERS);
  bench_run(work, bench_amount(argc, argv, 80));
  pthread_barrier_destroy(&phase);
  for (const auto &centre : centres) {
    for (float value : centre) bench_publish(static_cast<std::uint64_t>(value * 1048576.0f));
  }
  return bench_finish();
}
