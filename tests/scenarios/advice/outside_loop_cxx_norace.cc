// expect: none
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "scenario.h"

// The loop is inside the wait, or there is a time limit.
std::mutex mutex;
std::condition_variable condition;
bool ready;
int payload;

static void wait_and_use() {
  std::unique_lock<std::mutex> lock(mutex);
  take_step();
  condition.wait(lock, [] { return ready; });
  CONSUME(payload);
  condition.wait_for(lock, std::chrono::nanoseconds(1));
  CONSUME(payload);
}

int main() {
  std::thread thread(wait_and_use);
  wait_for_step(1);
  {
    std::lock_guard<std::mutex> lock(mutex);
    payload = 42;
    ready = true;
    condition.notify_one();
  }
  thread.join();
}
