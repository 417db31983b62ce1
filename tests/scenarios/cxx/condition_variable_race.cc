// expect: data race
// names: payload
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
    {
      std::unique_lock<std::mutex> guard(mutex);
      condition.wait(guard, [] { return ready; });
    }
    wait_for_step(1);
    CONSUME(payload); // here
  });
  {
    std::lock_guard<std::mutex> guard(mutex);
    ready = true;
  }
  condition.notify_one();
  payload = 42; // here
  take_step();
  reader.join();
}
