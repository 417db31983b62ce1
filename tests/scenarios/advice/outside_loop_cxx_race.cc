// expect: none
// advice: wait on a condition variable outside a loop
// names: condition variable 'condition'
#include <condition_variable>
#include <mutex>
#include <thread>

#include "scenario.h"

std::mutex mutex;
std::condition_variable condition;
bool ready;
int payload;

static void wait_and_use() {
  std::unique_lock<std::mutex> lock(mutex);
  take_step();
  if (!ready) condition.wait(lock); // here
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
