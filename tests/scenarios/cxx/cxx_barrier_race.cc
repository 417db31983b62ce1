// expect: data race
// names: payload
// flags: -std=c++20
// A barrier at which only one of the two waits.
#include <barrier>
#include <thread>

#include "scenario.h"

std::barrier<> meeting(2);
int payload;

NOINLINE static void sender() {
  (void)meeting.arrive();
  payload = 42; // here
  take_step();
}

NOINLINE static void receiver() {
  meeting.arrive_and_wait();
  wait_for_step(1);
  CONSUME(payload); // here
}

int main() {
  std::thread one(sender), two(receiver);
  one.join();
  two.join();
}
