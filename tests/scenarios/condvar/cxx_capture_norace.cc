// expect: none
// orders: signal-first wait-first
// flags: -std=c++17
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "scenario.h"

std::mutex guard;
std::condition_variable changed;
bool ready;
int value;

INVISIBLE static void arrive() {
  if (ordered("signal-first")) wait_for_step(1);
}
INVISIBLE static void arrived() {
  if (!ordered("signal-first")) take_step();
}

NOINLINE static void publish() {
  value = 42;
  {
    std::lock_guard<std::mutex> lock(guard);
    ready = true;
    changed.notify_one();
  }
}
static void wait_and_use() {
  arrive();
  std::unique_lock<std::mutex> lock(guard);
  arrived();
  const bool *flag = &ready;
  changed.wait(lock, [flag] { return *flag; });
  lock.unlock();
  CONSUME(value);
}

int main() {
  std::thread waiter(wait_and_use);
  if (!ordered("signal-first")) wait_for_step(1);
  publish();
  take_step();
  waiter.join();
}
