// Particles in a grid of cells with a lock each, as in fluidanimate: workers
// own halves of the grid, push on particles of neighbouring cells under that
// cell's lock, and move particles into new cells under theirs. Forces are
// integers, so that their sum does not depend on the order of the pushes.
#include "../bench.h"

#include <cstdint>
#include <mutex>
#include <vector>

namespace {

constexpr int kWide = 24;
constexpr int kHigh = 24;
constexpr int kCellSize = 1024;
constexpr int kParticles = 6000;

struct Particle {
  std::int32_t x, y;
  std::int32_t vx, vy;
  std::int64_t fx, fy;
};

struct Cell {
  std::mutex lock;
  std::vector<std::uint32_t> members;
};

Particle particles[kParticles];
Cell cells[2][kHigh][kWide];
pthread_barrier_t phase;

Cell &cell_of(int generation, const Particle &particle) {
  return cells[generation][particle.y / kCellSize][particle.x / kCellSize];
}

std::int64_t push_along(std::int64_t along, std::int64_t across) {
  std::int64_t distance = along * along + across * across + 64;
  return along * (1 << 20) / distance;
}

void interact(Cell &mine, Cell &other) {
  for (std::uint32_t a : mine.members) {
    Particle &first = particles[a];
    std::int64_t fx = 0;
    std::int64_t fy = 0;
    for (std::uint32_t b : other.members) {
      if (a == b) continue;
      const Particle &second = particles[b];
      std::int64_t dx = first.x - second.x;
      std::int64_t dy = first.y - second.y;
      if (dx * dx + dy * dy > kCellSize * kCellSize) continue;
      fx += push_along(dx, dy);
      fy += push_along(dy, dx);
    }
    std::lock_guard guard(mine.lock);
    first.fx += fx;
    first.fy += fy;
  }
}

void accumulate(int generation, int from, int to) {
  for (int y = from; y < to; y++) {
    for (int x = 0; x < kWide; x++) {
      Cell &here = cells[generation][y][x];
      for (int ny = y - 1; ny <= y + 1; ny++) {
        for (int nx = x - 1; nx <= x + 1; nx++) {
          if (ny < 0 || ny >= kHigh || nx < 0 || nx >= kWide) continue;
          // Push on the neighbour's particles: they may be another worker's.
          interact(cells[generation][ny][nx], here);
        }
      }
    }
  }
}

std::int32_t bounce(std::int32_t place, std::int32_t &speed, std::int32_t limit) {
  if (place < 0) {
    speed = -speed;
    return 0;
  }
  if (place >= limit) {
    speed = -speed;
    return limit - 1;
  }
  return place;
}

void advance(int generation, int from, int to) {
  for (int y = from; y < to; y++) {
    for (int x = 0; x < kWide; x++) {
      Cell &here = cells[generation][y][x];
      for (std::uint32_t member : here.members) {
        Particle &particle = particles[member];
        particle.vx = (particle.vx + static_cast<std::int32_t>(particle.fx / 4096)) % 512;
        particle.vy = (particle.vy + static_cast<std::int32_t>(particle.fy / 4096)) % 512;
        particle.fx = 0;
        particle.fy = 0;
        particle.x = bounce(particle.x + particle.vx, particle.vx, kWide * kCellSize);
        particle.y = bounce(particle.y + particle.vy, particle.vy, kHigh * kCellSize);
        Cell &there = cell_of(1 - generation, particle);
        std::lock_guard guard(there.lock);
        there.members.push_back(member);
      }
      here.members.clear();
    }
  }
}

void work(unsigned worker, std::uint64_t frames) {
  int from = kHigh * static_cast<int>(worker) / BENCH_WORKERS;
  int to = kHigh * static_cast<int>(worker + 1) / BENCH_WORKERS;
  for (std::uint64_t frame = 0; frame < frames; frame++) {
    int generation = static_cast<int>(frame % 2);
    accumulate(generation, from, to);
    pthread_barrier_wait(&phase);
    advance(generation, from, to);
    pthread_barrier_wait(&phase);
  }
}

}  // namespace

int main(int argc, char **argv) {
  std::uint64_t state = bench_seed(3);
  for (std::uint32_t i = 0; i < kParticles; i++) {
    Particle &particle = particles[i];
    particle.x = static_cast<std::int32_t>((bench_random(&state) >> 33) % (kWide * kCellSize));
    particle.y = static_cast<std::int32_t>((bench_random(&state) >> 33) % (kHigh * kCellSize));
    cell_of(0, particle).members.push_back(i);
  }
  pthread_barrier_init(&phase, nullptr, BENCH_WORKERS);
  bench_run(work, bench_amount(argc, argv, 25));
  pthread_barrier_destroy(&phase);
  std::uint64_t sum = 0;
  for (const Particle &particle : particles) {
    sum = sum * 31 + static_cast<std::uint64_t>(particle.x) * 65536 +
          static_cast<std::uint64_t>(particle.y);
  }
  bench_publish(sum);
  return bench_finish();
}
