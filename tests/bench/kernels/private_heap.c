/* Structures that never leave their thread: a search tree and a list are
 * allocated, walked several times and freed. */
#include "../bench.h"

enum { NODES = 1 << 14, WALKS = 6 };

struct node {
  uint64_t key;
  uint32_t depth;
  uint32_t visits;
  struct node *left;
  struct node *right;
  struct node *next;
};

static BENCH_NOINLINE struct node *insert(struct node *root, struct node *fresh) {
  struct node **place = &root;
  uint32_t depth = 0;
  while (*place != NULL) {
    place = fresh->key < (*place)->key ? &(*place)->left : &(*place)->right;
    depth++;
  }
  fresh->depth = depth;
  *place = fresh;
  return root;
}

static BENCH_NOINLINE uint64_t walk(struct node *list) {
  uint64_t sum = 0;
  for (struct node *node = list; node != NULL; node = node->next) {
    node->visits++;
    sum += node->key ^ ((uint64_t)node->depth * node->visits);
  }
  return sum;
}

static void work(unsigned worker, uint64_t rounds) {
  uint64_t state = bench_seed(worker);
  for (uint64_t round = 0; round < rounds; round++) {
    struct node *root = NULL;
    struct node *list = NULL;
    for (unsigned i = 0; i < NODES; i++) {
      struct node *fresh = (struct node *)bench_alloc(sizeof *fresh);
      fresh->key = bench_random(&state);
      fresh->visits = 0;
      fresh->left = NULL;
      fresh->right = NULL;
      fresh->next = list;
      list = fresh;
      root = insert(root, fresh);
    }
    for (unsigned i = 0; i < WALKS; i++) bench_publish(walk(list));
    while (list != NULL) {
      struct node *next = list->next;
      free(list);
      list = next;
    }
  }
}

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 32));
  return bench_finish();
}
