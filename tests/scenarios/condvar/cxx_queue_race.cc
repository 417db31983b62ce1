// expect: data race
// orders: signal-first wait-first
// names: payload
#include <condition_variable>
#include <mutex>
#include <queue>

#include "scenario.h"

// A std::queue behind a mutex hands over pointers; the giver touches what it has
// given away.
struct Job {
  int payload;
};
std::mutex mutex;
std::condition_variable not_empty;
std::queue<Job *> jobs;
Job job;

INVISIBLE static bool put_first(void) { return ordered("signal-first"); }

NOINLINE static void write_late(void) {
  job.payload = 2; // here
}
NOINLINE static void put(void) {
  job.payload = 1;
  {
    std::lock_guard<std::mutex> guard(mutex);
    jobs.push(&job);
  }
  not_empty.notify_one();
  write_late();
}
NOINLINE static void *worker(void *unused) {
  if (put_first()) wait_for_step(1);
  std::unique_lock<std::mutex> lock(mutex);
  if (!put_first()) take_step();
  not_empty.wait(lock, [] { return !jobs.empty(); });
  Job *mine = jobs.front();
  jobs.pop();
  lock.unlock();
  wait_for_step(put_first() ? 1 : 2);
  USE(mine->payload); // here
  take_step();
  return unused;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  if (!put_first()) wait_for_step(1);
  put();
  take_step();
  wait_for_step(put_first() ? 2 : 3);
  write_late();
  pthread_join(thread, nullptr);
}
