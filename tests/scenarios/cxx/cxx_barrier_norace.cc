// expect: none
// flags: -std=c++20
// A barrier at which only one of the two waits.
#include <barrier>
#include <thread>

#include "scenario.h"

std::barrier<> meeting(2);
int payload;

NOINLINE static void sender() {
  payload = 42;
  (void)meeting.arrive();
}

NOINLINE static void receiver() {
  meeting.arrive_and_wait();
  CONSUME(payload);
}

int main() {
  std::thread one(sender), two(receiver);
  one.join();
  two.join();
}
