// expect: data race on a vtable pointer
// orders: call-first destroy-first
// opt: O0 O1 O2
// names: vtable pointer
#include <semaphore.h>

#include "scenario.h"

// The destructor of the base class waits until the last call is over; by then
// the object is no longer of the derived class.
struct Base {
  sem_t done;
  int calls = 0;
  Base() { sem_init(&done, 0, 0); }
  NOINLINE virtual void call() { calls += 1; }
  virtual ~Base() {
    take_step();
    sem_wait(&done);
  }
};
struct Derived : Base {
  NOINLINE void call() override { CONSUME(this); }
  NOINLINE ~Derived() override {}
};
static Base *object;

NOINLINE static void *use(void *argument) {
  if (!ordered("call-first")) wait_for_step(1);
  object->call(); // here
  take_step();
  sem_post(&object->done);
  return argument;
}
NOINLINE static void *destroy(void *argument) {
  if (ordered("call-first")) wait_for_step(1);
  delete object;
  return argument;
}

int main() {
  object = new Derived;
  pthread_t a, b;
  pthread_create(&a, nullptr, use, nullptr);
  pthread_create(&b, nullptr, destroy, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
