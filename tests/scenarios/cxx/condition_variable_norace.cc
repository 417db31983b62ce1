// expect: none
#include <condition_variable>
#include <mutex>
#include <thread>

#include "scenario.h"

std::mutex mutex;
std::condition_variable condition;
bool ready;
int payload;

int main() {
  std::thread reader([] {
    std::unique_lock<std::mutex> guard(mutex);
    take_step();
    condition.wait(guard, [] { return ready; });
    guard.unlock();
    CONSUME(payload);
  });
  wait_for_step(1);
  payload = 42;
  {
    std::lock_guard<std::mutex> guard(mutex);
    ready = true;
  }
  condition.notify_one();
  reader.join();
}
