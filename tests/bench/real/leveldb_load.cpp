// Two threads write to and read from one database while it compacts in the
// background.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "leveldb/db.h"

namespace {

constexpr int kThreads = 2;
constexpr int kKeys = 60000;
constexpr int kReads = 60000;

void check(const leveldb::Status &status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::exit(2);
}

std::string key_of(int thread, std::uint32_t number) {
  char text[32];
  std::snprintf(text, sizeof text, "%08u.%d", number * 2654435761u % 100000000u, thread);
  return text;
}

void work(leveldb::DB *db, int thread, std::uint64_t *sum) {
  std::string value(100, static_cast<char>('a' + thread));
  for (std::uint32_t i = 0; i < kKeys; i++) {
    value[i % value.size()] = static_cast<char>('a' + i % 26);
    check(db->Put(leveldb::WriteOptions(), key_of(thread, i), value));
  }
  for (std::uint32_t i = 0; i < kReads; i++) {
    std::string found;
    check(db->Get(leveldb::ReadOptions(), key_of(thread, i * 7 % kKeys), &found));
    *sum = *sum * 31 + found.size() + static_cast<unsigned char>(found[i % found.size()]);
  }
}

}  // namespace

int main() {
  const char *name = "leveldb-load";
  leveldb::DestroyDB(name, leveldb::Options());
  leveldb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 1 << 20;
  leveldb::DB *opened = nullptr;
  check(leveldb::DB::Open(options, name, &opened));
  std::unique_ptr<leveldb::DB> db(opened);
  std::uint64_t sums[kThreads] = {};
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; i++) threads[i] = std::thread(work, db.get(), i, &sums[i]);
  std::uint64_t total = 0;
  for (int i = 0; i < kThreads; i++) {
    threads[i].join();
    total = total * 31 + sums[i];
  }
  std::unique_ptr<leveldb::Iterator> all(db->NewIterator(leveldb::ReadOptions()));
  for (all->SeekToFirst(); all->Valid(); all->Next()) total += all->key().size() + all->value().size();
  all.reset();
  db.reset();
  leveldb::DestroyDB(name, leveldb::Options());
  std::printf("checksum %llu\n", static_cast<unsigned long long>(total));
}
