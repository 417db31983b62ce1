/* Prices of options by simulated paths, as swaptions does: each worker takes
 * instruments of its own and keeps every path in its own heap. */
#include "../bench.h"

#include <math.h>

enum { STEPS = 32, FACTORS = 3, TRIALS = 64 };

struct path {
  double rates[STEPS][STEPS];
  double shocks[FACTORS][STEPS];
  double volatility[FACTORS][STEPS];
};

static double uniform(uint64_t *state) { return (double)(bench_random(state) >> 11) * 0x1p-53; }

/* The sum of four uniform numbers, scaled, is close enough to a normal one. */
static double normal(uint64_t *state) {
  double sum = -2.0;
  for (unsigned i = 0; i < 4; i++) sum += uniform(state);
  return sum * 1.7320508075688772;
}

static BENCH_NOINLINE void simulate(struct path *path, uint64_t *state) {
  for (unsigned f = 0; f < FACTORS; f++) {
    for (unsigned s = 0; s < STEPS; s++) path->shocks[f][s] = normal(state);
  }
  for (unsigned s = 1; s < STEPS; s++) {
    for (unsigned t = 0; t < STEPS - s; t++) {
      double moved = path->rates[s - 1][t + 1];
      for (unsigned f = 0; f < FACTORS; f++) {
        double sigma = path->volatility[f][t];
        moved += sigma * sigma * 0.5 / STEPS + sigma * path->shocks[f][s] * 0.17677669529663687;
      }
      path->rates[s][t] = moved;
    }
  }
}

static BENCH_NOINLINE double payoff(const struct path *path, double strike) {
  double discount = 0.0;
  double value = 0.0;
  for (unsigned s = 0; s < STEPS; s++) {
    discount += path->rates[s][0] / STEPS;
    double gain = path->rates[s][0] - strike;
    if (gain > 0.0) value += gain * exp(-discount);
  }
  return value;
}

static void work(unsigned worker, uint64_t instruments) {
  struct path *path = (struct path *)bench_alloc(sizeof *path);
  uint64_t state = bench_seed(worker);
  for (uint64_t instrument = 0; instrument < instruments; instrument++) {
    for (unsigned s = 0; s < STEPS; s++) {
      path->rates[0][s] = 0.04 + 0.0005 * s;
      for (unsigned f = 0; f < FACTORS; f++) path->volatility[f][s] = 0.01 / (1.0 + f + 0.1 * s);
    }
    double sum = 0.0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
      simulate(path, &state);
      sum += payoff(path, 0.045);
    }
    bench_publish((uint64_t)(sum / TRIALS * 1e9));
  }
  free(path);
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 800));
  return bench_finish();
}
