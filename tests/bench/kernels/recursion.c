/* Deep and frequent calls with little in each: queens on a board that lives in
 * memory, and the Takeuchi function counting its calls. */
#include "../bench.h"

enum { QUEENS = 9 };

struct board {
  int row_of[QUEENS];
  uint64_t calls;
};

static BENCH_NOINLINE int attacked(const struct board *board, int column, int row) {
  for (int other = 0; other < column; other++) {
    int distance = board->row_of[other] - row;
    if (distance == 0 || distance == column - other || distance == other - column) return 1;
  }
  return 0;
}

static BENCH_NOINLINE int place(struct board *board, int column) {
  if (column == QUEENS) return 1;
  int solutions = 0;
  board->calls++;
  for (int row = 0; row < QUEENS; row++) {
    if (attacked(board, column, row)) continue;
    board->row_of[column] = row;
    solutions += place(board, column + 1);
  }
  return solutions;
}

static BENCH_NOINLINE int takeuchi(struct board *board, int x, int y, int z) {
  board->calls++;
  if (y >= x) return z;
  return takeuchi(board, takeuchi(board, x - 1, y, z), takeuchi(board, y - 1, z, x),
                  takeuchi(board, z - 1, x, y));
}

static void work(unsigned worker, uint64_t rounds) {
  struct board *board = (struct board *)bench_alloc(sizeof *board);
  board->calls = worker;
  for (uint64_t round = 0; round < rounds; round++) {
    uint64_t solutions = (uint64_t)place(board, 0);
    bench_publish(solutions + (uint64_t)takeuchi(board, 14, 8, 2));
  }
  bench_publish(board->calls);
  free(board);
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 100));
  return bench_finish();
}
