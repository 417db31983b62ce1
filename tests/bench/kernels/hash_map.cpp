// A hash map behind striped locks: both workers insert, look up, change and
// remove, each under keys of its own that share buckets and locks.
#include "../bench.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace {

class StripedMap {
 public:
  void add(std::uint64_t key, std::uint64_t amount) {
    std::lock_guard guard(stripe(key));
    Link &head = bucket(key);
    for (Node *node = head.get(); node != nullptr; node = node->next.get()) {
      if (node->key == key) {
        node->value += amount;
        return;
      }
    }
    head = std::make_unique<Node>(Node{key, amount, std::move(head)});
  }

  std::uint64_t get(std::uint64_t key) {
    std::lock_guard guard(stripe(key));
    for (Node *node = bucket(key).get(); node != nullptr; node = node->next.get()) {
      if (node->key == key) return node->value;
    }
    return 0;
  }

  std::uint64_t remove(std::uint64_t key) {
    std::lock_guard guard(stripe(key));
    for (Link *link = &bucket(key); *link != nullptr; link = &(*link)->next) {
      if ((*link)->key == key) {
        Link dead = std::move(*link);
        *link = std::move(dead->next);
        return dead->value;
      }
    }
    return 0;
  }

 private:
  struct Node;
  using Link = std::unique_ptr<Node>;
  struct Node {
    std::uint64_t key;
    std::uint64_t value;
    Link next;
  };
  static constexpr std::size_t kBuckets = 1 << 13;
  static constexpr std::size_t kStripes = 64;

  static std::size_t hash(std::uint64_t key) { return (key * 0x9e3779b97f4a7c15u) >> 40; }
  std::mutex &stripe(std::uint64_t key) { return stripes_[hash(key) % kStripes]; }
  Link &bucket(std::uint64_t key) { return buckets_[hash(key) % kBuckets]; }

  std::array<std::mutex, kStripes> stripes_;
  std::vector<Link> buckets_{kBuckets};
};

StripedMap map;

void work(unsigned worker, std::uint64_t operations) {
  std::uint64_t state = bench_seed(worker);
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < operations; i++) {
    std::uint64_t number = bench_random(&state) >> 16;
    std::uint64_t key = number % 8192 * BENCH_WORKERS + worker;
    switch ((number >> 20) % 8) {
      case 0:
        sum += map.remove(key);
        break;
      case 1:
      case 2:
        map.add(key, number >> 40);
        break;
      default:
        sum += map.get(key);
    }
  }
  bench_publish(sum);
}

}  // namespace

int main(int argc, char **argv) {
  bench_run(work, bench_amount(argc, argv, 1500000));
  return bench_finish();
}
