// expect: none
// advice: signal of a condition variable without its mutex
// names: condition variable 'condition'
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "scenario.h"

std::mutex mutex;
std::condition_variable condition;
std::atomic<bool> ready;

static void waiter() {
  std::unique_lock<std::mutex> lock(mutex);
  take_step();
  condition.wait(lock, [] { return ready.load(); });
}

int main() {
  std::thread thread(waiter);
  wait_for_step(1);
  { std::lock_guard<std::mutex> lock(mutex); }
  ready = true; // here
  condition.notify_one(); // here
  thread.join();
}
