// A pipeline like dedup: one thread cuts a stream into chunks where a rolling
// hash says so, two look each chunk up in a shared index and pack the new ones,
// one collects. The stages are joined by bounded queues.
#include "../bench.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

template <typename Item>
class Queue {
 public:
  void push(Item item) {
    std::unique_lock guard(lock_);
    not_full_.wait(guard, [this] { return items_.size() < kCapacity; });
    items_.push_back(std::move(item));
    not_empty_.notify_one();
  }

  std::optional<Item> pop() {
    std::unique_lock guard(lock_);
    not_empty_.wait(guard, [this] { return !items_.empty() || closed_; });
    if (items_.empty()) return std::nullopt;
    std::optional<Item> item(std::move(items_.front()));
    items_.pop_front();
    not_full_.notify_one();
    return item;
  }

  void close() {
    std::lock_guard guard(lock_);
    closed_ = true;
    not_empty_.notify_all();
  }

 private:
  static constexpr std::size_t kCapacity = 64;
  std::mutex lock_;
  std::condition_variable not_empty_;
  std::condition_variable not_full_;
  std::deque<Item> items_;
  bool closed_ = false;
};

struct Chunk {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> packed;
  std::uint64_t digest = 0;
};
using ChunkPtr = std::unique_ptr<Chunk>;

// A few templates repeated with small changes: about two chunks in three recur.
std::vector<std::uint8_t> make_stream(std::uint64_t bytes) {
  std::vector<std::uint8_t> pattern(1 << 16);
  std::uint64_t state = bench_seed(7);
  for (auto &byte : pattern) byte = static_cast<std::uint8_t>((bench_random(&state) >> 32) % 48);
  std::vector<std::uint8_t> stream(bytes);
  for (std::uint64_t at = 0; at < bytes;) {
    std::uint64_t number = bench_random(&state) >> 16;
    std::uint64_t length = 4096 + number % 8192;
    std::uint64_t from = (number >> 20) % 8 * 6144;
    for (std::uint64_t i = 0; i < length && at < bytes; i++, at++) {
      stream[at] = pattern[(from + i) % pattern.size()];
    }
    if (number % 3 == 0 && at > 0) stream[at - 1] = static_cast<std::uint8_t>(number >> 8);
  }
  return stream;
}

void cut(const std::vector<std::uint8_t> &stream, Queue<ChunkPtr> &out) {
  std::size_t start = 0;
  std::uint32_t rolling = 0;
  for (std::size_t i = 0; i < stream.size(); i++) {
    rolling = (rolling << 1) + stream[i] * 2654435761u;
    bool boundary = (rolling >> 20) == 0 && i - start > 256;
    if (boundary || i - start > 8192 || i + 1 == stream.size()) {
      auto chunk = std::make_unique<Chunk>();
      chunk->bytes.assign(stream.begin() + static_cast<std::ptrdiff_t>(start),
                          stream.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      out.push(std::move(chunk));
      start = i + 1;
    }
  }
  out.close();
}

class Index {
 public:
  bool first_sight(std::uint64_t digest) {
    Shard &shard = shards_[digest % kShards];
    std::lock_guard guard(shard.lock);
    return shard.seen[digest]++ == 0;
  }

 private:
  static constexpr std::size_t kShards = 16;
  struct Shard {
    std::mutex lock;
    std::unordered_map<std::uint64_t, std::uint32_t> seen;
  };
  Shard shards_[kShards];
};

std::uint64_t digest_of(const std::vector<std::uint8_t> &bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (std::uint8_t byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  return hash;
}

// Replaces what occurred before, found by a hash of three bytes.
void pack(Chunk &chunk) {
  const auto &in = chunk.bytes;
  std::vector<std::uint16_t> last(1024, 0);
  chunk.packed.reserve(in.size() + in.size() / 8 + 4);
  std::size_t i = 0;
  while (i + 3 < in.size()) {
    unsigned key = (in[i] * 33u + in[i + 1] * 7u + in[i + 2]) % 1024;
    std::size_t candidate = last[key];
    last[key] = static_cast<std::uint16_t>(i);
    std::size_t length = 0;
    while (length < 63 && i + length < in.size() && candidate < i &&
           in[candidate + length] == in[i + length]) {
      length++;
    }
    if (length >= 4) {
      chunk.packed.push_back(static_cast<std::uint8_t>(128 + length));
      i += length;
    } else {
      chunk.packed.push_back(in[i]);
      i++;
    }
  }
}

void look_up(Queue<ChunkPtr> &in, Index &index, Queue<ChunkPtr> &out) {
  while (auto chunk = in.pop()) {
    (*chunk)->digest = digest_of((*chunk)->bytes);
    if (index.first_sight((*chunk)->digest)) pack(**chunk);
    out.push(std::move(*chunk));
  }
}

void collect(Queue<ChunkPtr> &in) {
  std::uint64_t sum = 0;
  while (auto chunk = in.pop()) {
    sum += (*chunk)->digest;
    for (std::uint8_t byte : (*chunk)->packed) sum += byte;
  }
  bench_publish(sum);
}

}  // namespace

int main(int argc, char **argv) {
  const std::vector<std::uint8_t> stream = make_stream(bench_amount(argc, argv, 24u << 20));
  Queue<ChunkPtr> chunks;
  Queue<ChunkPtr> done;
  Index index;
  std::thread cutter([&] { cut(stream, chunks); });
  std::thread packers[2];
  for (auto &packer : packers) packer = std::thread([&] { look_up(chunks, index, done); });
  std::thread collector([&] { collect(done); });
  cutter.join();
  for (auto &packer : packers) packer.join();
  done.close();
  collector.join();
  return bench_finish();
}
