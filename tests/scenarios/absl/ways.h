// From one thread to the other, in the way that the order says.
#ifndef ABSL_WAYS_H
#define ABSL_WAYS_H

#include <thread>

#include "absl/synchronization/barrier.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"

#include "scenario.h"

static absl::Mutex mutex;
static absl::CondVar changed;
static absl::Notification notification;
static absl::BlockingCounter counter(1);
static absl::Barrier *const barrier = new absl::Barrier(2);
static int ready;

static bool is_ready(int *what) { return *what != 0; }

NOINLINE static void hand_over() {
  if (ordered("notified") || ordered("looked-at")) {
    notification.Notify();
  } else if (ordered("counter")) {
    counter.DecrementCount();
  } else if (ordered("barrier")) {
    if (barrier->Block()) delete barrier;
  } else {
    absl::MutexLock guard(&mutex);
    ready = 1;
    changed.SignalAll();
  }
}

NOINLINE static bool look() {
  absl::ReaderMutexLock guard(&mutex);
  return ready != 0;
}

NOINLINE static void take_over() {
  if (ordered("notified")) {
    notification.WaitForNotification();
  } else if (ordered("looked-at")) {
    while (!notification.HasBeenNotified()) std::this_thread::yield();
  } else if (ordered("counter")) {
    counter.Wait();
  } else if (ordered("barrier")) {
    if (barrier->Block()) delete barrier;
  } else if (ordered("reader")) {
    while (!look()) std::this_thread::yield();
  } else if (ordered("condition")) {
    mutex.LockWhen(absl::Condition(is_ready, &ready));
    ready = 2;
    mutex.Unlock();
  } else if (ordered("condition-in-time")) {
    while (!mutex.LockWhenWithTimeout(absl::Condition(is_ready, &ready), absl::Milliseconds(1)))
      mutex.Unlock();
    ready = 2;
    mutex.Unlock();
  } else if (ordered("signalled-in-time")) {
    absl::MutexLock guard(&mutex);
    do changed.WaitWithTimeout(&mutex, absl::Milliseconds(1));
    while (!ready);
  } else if (ordered("await")) {
    absl::MutexLock guard(&mutex);
    while (!mutex.AwaitWithTimeout(absl::Condition(is_ready, &ready), absl::Milliseconds(1))) {
    }
    ready = 2;
  } else {
    mutex.Lock();
    while (!ready) {
      if (ordered("signalled")) {
        changed.Wait(&mutex);
      } else {
        mutex.Unlock();
        std::this_thread::yield();
        mutex.Lock();
      }
    }
    mutex.Unlock();
  }
}

#endif
