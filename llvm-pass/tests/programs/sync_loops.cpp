// The C++ library's ways to wait, which are templates in the program itself.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "sync_loops.h"

using namespace std::chrono_literals;

static std::mutex m;
static std::condition_variable c;
static std::condition_variable_any any;
static int ready;
static std::atomic<int> atomic_ready;
// How long the waits with a limit may take: the waits of the test return at
// once, so that nothing but this decides whether they time out.
static std::chrono::milliseconds limit;

struct Queue {
  std::mutex mutex;
  std::condition_variable filled;
  int n = 0;
  bool empty() const { return n == 0; }
  virtual bool done() { return n != 0; }
  void wait(std::unique_lock<std::mutex> &lock) { filled.wait(lock); }
};
static Queue queue;

struct Owner {
  Queue *impl = &queue;
  void pop() {
    std::unique_lock<std::mutex> lock(impl->mutex);
    while (impl->n == 0)
      impl->filled.wait(lock);
  }
};
static Owner owner;

static void by_loop() {
  std::unique_lock<std::mutex> lock(m);
  while (!ready)
    c.wait(lock);
}
static void by_lambda() {
  std::unique_lock<std::mutex> lock(m);
  c.wait(lock, [] { return ready != 0; });
}
static void by_capture() {
  std::unique_lock<std::mutex> lock(m);
  int *flag = &ready;
  c.wait(lock, [flag] { return *flag != 0; });
}
static bool by_wait_for() {
  std::unique_lock<std::mutex> lock(m);
  return c.wait_for(lock, limit, [] { return ready != 0; });
}
static bool by_wait_until() {
  std::unique_lock<std::mutex> lock(m);
  return c.wait_until(lock, std::chrono::system_clock::now() + limit, [] { return ready != 0; });
}
static void by_status() {
  std::unique_lock<std::mutex> lock(m);
  while (!ready)
    if (c.wait_for(lock, limit) == std::cv_status::timeout)
      break;
}
static void by_any() {
  std::unique_lock<std::mutex> lock(m);
  while (!ready)
    any.wait(lock);
}
static void by_any_lambda() {
  std::unique_lock<std::mutex> lock(m);
  any.wait(lock, [] { return ready != 0; });
}
static void by_any_mutex() {
  m.lock();
  any.wait(m, [] { return ready != 0; });
  m.unlock();
}
static void by_accessor(Queue &q) {
  std::unique_lock<std::mutex> lock(q.mutex);
  while (q.empty())
    q.filled.wait(lock);
}
static void by_member(Queue &q) {
  std::unique_lock<std::mutex> lock(q.mutex);
  while (q.n == 0)
    q.wait(lock);
}
static void by_virtual(Queue *q) {
  std::unique_lock<std::mutex> lock(q->mutex);
  q->filled.wait(lock, [q] { return q->done(); });
}
static void by_function() {
  std::unique_lock<std::mutex> lock(m);
  std::function<bool()> test = [] { return ready != 0; };
  c.wait(lock, test);
}
static void by_atomic() {
  std::unique_lock<std::mutex> lock(m);
  while (!atomic_ready.load())
    c.wait(lock);
}
static void spin_relaxed() {
  while (!atomic_ready.load(std::memory_order_relaxed))
    std::this_thread::yield();
}
static void spin_sleeping() {
  while (!atomic_ready.load(std::memory_order_relaxed)) {
    std::this_thread::sleep_for(1us);
    std::this_thread::yield();
  }
}
static void spin_acquire() {
  while (!atomic_ready.load(std::memory_order_acquire))
    std::this_thread::yield();
}
static void spin_default() {
  while (!atomic_ready)
    std::this_thread::yield();
}

static bool contains(const void *address) {
  for (int i = 0; i < waits.left[0].count; i++)
    if (waits.left[0].address[i] == address)
      return true;
  return false;
}

template <typename F> static void run(F &&call, int line, int after, int *set, int result) {
  ready = 0, atomic_ready = 0, queue.n = 0;
  prepare(after, set, result);
  if (after == 0)
    *set = 1;
  call();
}

// Left once, ordered, with that condition variable and mutex, and what was
// read is among the addresses; predicates read more than the flag.
template <typename F>
static void both(F &&call, int line, int *set, void *condvar, void *mutex, unsigned flags) {
  limit = 1h;
  for (int after : {0, 2}) {
    run(call, line, after, set, 0);
    struct left &left = waits.left[0];
    bool reads_reach = !(flags & NOTED) || getenv("MOCK_MISS");
    if (waits.exits != 1 || left.condvar != condvar || left.mutex != mutex ||
        left.flags != flags || (reads_reach && !contains(set)))
      wrong++, printf("line %d, after %d: %d exits, condvar %d, mutex %d, flags %u, %d addresses\n",
                      line, after, waits.exits, left.condvar == condvar, left.mutex == mutex,
                      left.flags, left.count);
  }
}

// A timeout orders nothing.
template <typename F> static void unordered(F &&call, int line) {
  limit = 0ms;
  run(call, line, 2, nullptr, ETIMEDOUT);
  if (waits.exits > 1 || (waits.exits == 1 && !(waits.left[0].flags & UNORDERED)))
    wrong++, printf("line %d: ordered, %d exits\n", line, waits.exits);
}

template <typename F> static void nothing(F &&call, int line, int *set) {
  run(call, line, 2, set, 0);
  if (waits.exits)
    wrong++, printf("line %d: %d exits\n", line, waits.exits);
}

int main() {
  int *flag = &ready, *atomic = reinterpret_cast<int *>(&atomic_ready);
  both(by_loop, __LINE__, flag, &c, &m, 0);
  both(by_lambda, __LINE__, flag, &c, &m, NOTED);
  both(by_capture, __LINE__, flag, &c, &m, NOTED);
  both(by_wait_for, __LINE__, flag, &c, &m, NOTED);
  both(by_wait_until, __LINE__, flag, &c, &m, NOTED);
  both(by_status, __LINE__, flag, &c, &m, 0);
  both(by_any, __LINE__, flag, &any, &m, 0);
  both(by_any_lambda, __LINE__, flag, &any, &m, NOTED);
  both(by_any_mutex, __LINE__, flag, &any, &m, NOTED);
  both([] { by_accessor(queue); }, __LINE__, &queue.n, &queue.filled, &queue.mutex, NOTED);
  both([] { by_member(queue); }, __LINE__, &queue.n, &queue.filled, &queue.mutex, 0);
  both([] { by_virtual(&queue); }, __LINE__, &queue.n, &queue.filled, &queue.mutex, NOTED);
  both([] { owner.pop(); }, __LINE__, &queue.n, &queue.filled, &queue.mutex, 0);
  both(by_function, __LINE__, flag, &c, &m, NOTED);
  both(by_atomic, __LINE__, atomic, &c, &m, 0);
  unordered(by_status, __LINE__);
  unordered(by_wait_for, __LINE__);
  unordered(by_wait_until, __LINE__);
  // Timed out, but a last look finds that the condition holds after all.
  limit = 0ms;
  run(by_wait_for, __LINE__, 1, flag, 0);
  if (waits.exits != 1 || waits.left[0].flags != NOTED || waits.left[0].condvar != &c)
    wrong++, printf("last look: %d exits, flags %u\n", waits.exits, waits.left[0].flags);
  both(spin_relaxed, __LINE__, atomic, nullptr, nullptr, RELAXED);
  both(spin_sleeping, __LINE__, atomic, nullptr, nullptr, RELAXED);
  nothing(spin_acquire, __LINE__, atomic);
  nothing(spin_default, __LINE__, atomic);
  printf(wrong ? "%d wrong\n" : "right\n", wrong);
  return wrong != 0;
}
