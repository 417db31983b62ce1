// expect: none
// orders: signal-first wait-first
#include <condition_variable>
#include <mutex>
#include <queue>

#include "scenario.h"

// A std::queue behind a mutex hands over pointers.
struct Job {
  int payload;
};
std::mutex mutex;
std::condition_variable not_empty;
std::queue<Job *> jobs;
Job job;

INVISIBLE static bool put_first(void) { return ordered("signal-first"); }

NOINLINE static void put(void) {
  job.payload = 1;
  {
    std::lock_guard<std::mutex> guard(mutex);
    jobs.push(&job);
  }
  not_empty.notify_one();
}
NOINLINE static void *worker(void *unused) {
  if (put_first()) wait_for_step(1);
  std::unique_lock<std::mutex> lock(mutex);
  if (!put_first()) take_step();
  not_empty.wait(lock, [] { return !jobs.empty(); });
  Job *mine = jobs.front();
  jobs.pop();
  lock.unlock();
  USE(mine->payload);
  return unused;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  if (!put_first()) wait_for_step(1);
  put();
  take_step();
  pthread_join(thread, nullptr);
}
