// expect: none
#include <future>
#include <thread>

#include "scenario.h"

int payload, farewell;

struct Farewell {
  bool called = false;
  ~Farewell() { farewell = 1; }
};
thread_local Farewell last;

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread worker([&promise] {
    last.called = true;
    promise.set_value_at_thread_exit(1);
    payload = 42;
  });
  if (future.get() != 1) return 1;
  CONSUME(payload);
  CONSUME(farewell);
  worker.join();
}
