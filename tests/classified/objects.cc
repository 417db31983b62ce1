#include <semaphore.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "classified.h"

namespace {

struct Base {
  sem_t done;
  int calls = 0;
  Base() { sem_init(&done, 0, 0); }
  NOINLINE virtual void call() { calls = 1; }
  virtual ~Base() { sem_wait(&done); }
};
struct Derived : Base {
  NOINLINE void call() override { CONSUME(this); }
  NOINLINE ~Derived() override {}
};
Base *object;

NOINLINE void use() {
  object->call();
  sem_post(&object->done);
}
NOINLINE void destroy() { delete object; }

}  // namespace

// case vptr: race [fast msm-long eraser]
// The destructor of the base class waits for the last virtual call.
CASE(vptr) {
  object = new Derived;
  run_two(use, destroy);
}

// case vptr_joined: no race
CASE(vptr_joined) {
  object = new Derived;
  run_joined(use, destroy);
}

// case deleted_by_the_last: no race [conflict_edges=0]
// Both use the object under its lock; the one who is last deletes it.
namespace {
struct Counted {
  std::mutex mutex;
  int users = 2, value = 0;
  virtual ~Counted() { value = -1; }
};
struct CountedChild : Counted {
  int more = 0;
  ~CountedChild() override { more = -1; }
};
CountedChild *counted;
NOINLINE void counted_release() {
  bool last;
  {
    std::lock_guard<std::mutex> guard(counted->mutex);
    counted->value += 1;
    counted->more += 1;
    last = --counted->users == 0;
  }
  if (last) delete counted;
}
}  // namespace
CASE(deleted_by_the_last) {
  counted = new CountedChild;
  run_two(counted_release, counted_release);
}

// case destroyed_on_stack: race [fast msm-long]
// An object goes out of scope while another thread still uses it.
namespace {
struct Local {
  int value = 0;
  NOINLINE ~Local() { value = -1; }
};
NOINLINE void *local_use(void *argument) {
  static_cast<Local *>(argument)->value = 1;
  take_step();
  return nullptr;
}
}  // namespace
CASE(destroyed_on_stack) {
  pthread_t thread;
  {
    Local local;
    pthread_create(&thread, nullptr, local_use, &local);
    wait_for_step(1);
  }
  pthread_join(thread, nullptr);
}

// case shared_pointers: no race
namespace {
std::shared_ptr<int> shared;
NOINLINE void *shared_copy(void *argument) {
  std::unique_ptr<std::shared_ptr<int>> own(static_cast<std::shared_ptr<int> *>(argument));
  CONSUME(**own);
  return nullptr;
}
}  // namespace
CASE(shared_pointers) {
  shared = std::make_shared<int>(1);
  pthread_t threads[2];
  for (auto &thread : threads)
    pthread_create(&thread, nullptr, shared_copy, new std::shared_ptr<int>(shared));
  shared.reset();
  for (auto &thread : threads) pthread_join(thread, nullptr);
}

// case one_shared_pointer: race [fast msm-long]
// The pointer itself is copied and replaced.
namespace {
std::shared_ptr<int> pointer;
NOINLINE void pointer_copy() {
  std::shared_ptr<int> copy = pointer;
  CONSUME(*copy);
}
NOINLINE void pointer_replace() { pointer = std::make_shared<int>(2); }
}  // namespace
CASE(one_shared_pointer) {
  pointer = std::make_shared<int>(1);
  run_two(pointer_copy, pointer_replace);
}

// case container: race [fast]
namespace {
std::vector<int> numbers;
NOINLINE void number_add() { numbers.push_back(1); }
}  // namespace
CASE(container) { run_two(number_add, number_add); }

// case container_locked: no race
namespace {
std::map<int, std::string> names;
std::mutex names_mutex;
NOINLINE void name_add() {
  std::lock_guard<std::mutex> guard(names_mutex);
  names[int(names.size())] = "name";
}
}  // namespace
CASE(container_locked) { run_two(name_add, name_add); }

// case returned_reference: race [fast msm-long]
// The lock is held while the reference is returned, not while it is used.
namespace {
std::vector<int> domains(4);
std::mutex domains_mutex;
NOINLINE std::vector<int> &get_domains() {
  std::lock_guard<std::mutex> guard(domains_mutex);
  return domains;
}
NOINLINE void domain_change() { get_domains()[1] += 1; }
}  // namespace
CASE(returned_reference) { run_two(domain_change, domain_change); }

// case static_local: no race
namespace {
NOINLINE int &only() {
  static int value = int(numbers.size()) + 1;
  return value;
}
NOINLINE void only_use() { CONSUME(only()); }
}  // namespace
CASE(static_local) { run_two(only_use, only_use); }

// case string_copied: no race
namespace {
const std::string text = "a text that is too long for the object itself";
NOINLINE void text_copy() {
  std::string copy = text;
  CONSUME(copy[0]);
}
}  // namespace
CASE(string_copied) { run_two(text_copy, text_copy); }

// case string_changed: race [fast msm-long]
namespace {
std::string changing = "another text that is too long for the object itself";
NOINLINE void changing_copy() {
  std::string copy = changing;
  CONSUME(copy[0]);
}
NOINLINE void changing_change() { changing[3] = 'x'; }
}  // namespace
CASE(string_changed) { run_two(changing_copy, changing_change); }
