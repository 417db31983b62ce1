// expect: data race
// orders: signal-first wait-first
// flags: -std=c++17
// names: value
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
INVISIBLE static void after_signaller() { wait_for_step(ordered("signal-first") ? 1 : 2); }

NOINLINE static void write_late() {
  value = 42; // here
}
NOINLINE static void publish() {
  {
    std::lock_guard<std::mutex> lock(guard);
    ready = true;
    changed.notify_one();
  }
  write_late();
}
static void wait_and_use() {
  arrive();
  std::unique_lock<std::mutex> lock(guard);
  arrived();
  if (!changed.wait_for(lock, std::chrono::hours(1), [] { return ready; })) std::abort();
  lock.unlock();
  after_signaller();
  USE(value); // here
  take_step();
}

int main() {
  std::thread waiter(wait_and_use);
  if (!ordered("signal-first")) wait_for_step(1);
  publish();
  take_step();
  wait_for_step(ordered("signal-first") ? 2 : 3);
  // Some detectors say nothing the first time.
  write_late();
  waiter.join();
}
