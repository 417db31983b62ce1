/*
 * racert/annotations.h: telling racert what it cannot see.
 *
 * Most programs need none of this: locks, condition variables, atomics and
 * message channels are understood as they are. Annotations are for
 * synchronisation by other means (a device, shared memory of another process,
 * hand-written assembly), for races that are meant to be, and for tests of a
 * race detector.
 *
 * Under racert (__RACERT__ is defined by racert-clang, the CMake package and
 * the pkg-config file) and in objects compiled with -fsanitize=thread, each
 * macro calls the Annotate* function of that name if it is in the process;
 * otherwise a macro is an empty statement whose arguments are not evaluated.
 * The functions are the established ones of the dynamic annotations, so code
 * that declares them itself works too. They are referred to weakly: there is
 * nothing to link.
 *
 * A macro that is defined already, by another library's annotations, is left
 * alone; and the functions are declared under names of this header's own, so
 * that another library's declarations cannot contradict them.
 *
 * The header is plain C89 and C++98 and anything later.
 */
#ifndef RACERT_ANNOTATIONS_H
#define RACERT_ANNOTATIONS_H

#if defined(__RACERT__) || defined(__SANITIZE_THREAD__)
#define RACERT_ANNOTATIONS_ON_ 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RACERT_ANNOTATIONS_ON_ 1
#endif
#endif

#ifdef RACERT_ANNOTATIONS_ON_

#ifdef __cplusplus
extern "C" {
#endif

#define RACERT_FUNCTION_(name, parameters)                                     \
  extern void racert_##name parameters __asm__(#name) __attribute__((weak))

RACERT_FUNCTION_(AnnotateHappensBefore,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotateHappensAfter,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotateCondVarSignal,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotateCondVarSignalAll,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotateCondVarWait,
                 (const char *file, int line, const volatile void *object,
                  const volatile void *lock));
RACERT_FUNCTION_(AnnotateMutexIsUsedAsCondVar,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotateMutexIsNotPHB,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotateRWLockCreate,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotateRWLockCreateStatic,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotateRWLockDestroy,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotateRWLockAcquired,
                 (const char *file, int line, const volatile void *object,
                  long is_write));
RACERT_FUNCTION_(AnnotateRWLockReleased,
                 (const char *file, int line, const volatile void *object,
                  long is_write));
RACERT_FUNCTION_(AnnotateIgnoreReadsBegin, (const char *file, int line));
RACERT_FUNCTION_(AnnotateIgnoreReadsEnd, (const char *file, int line));
RACERT_FUNCTION_(AnnotateIgnoreWritesBegin, (const char *file, int line));
RACERT_FUNCTION_(AnnotateIgnoreWritesEnd, (const char *file, int line));
RACERT_FUNCTION_(AnnotateIgnoreSyncBegin, (const char *file, int line));
RACERT_FUNCTION_(AnnotateIgnoreSyncEnd, (const char *file, int line));
RACERT_FUNCTION_(AnnotateBenignRaceSized,
                 (const char *file, int line, const volatile void *address,
                  unsigned long size, const char *why));
RACERT_FUNCTION_(AnnotateExpectRace,
                 (const char *file, int line, const volatile void *address,
                  const char *why));
RACERT_FUNCTION_(AnnotateFlushExpectedRaces, (const char *file, int line));
RACERT_FUNCTION_(AnnotateEnableRaceDetection,
                 (const char *file, int line, int enable));
RACERT_FUNCTION_(AnnotateNewMemory,
                 (const char *file, int line, const volatile void *address,
                  unsigned long size));
RACERT_FUNCTION_(AnnotatePublishMemoryRange,
                 (const char *file, int line, const volatile void *address,
                  unsigned long size));
RACERT_FUNCTION_(AnnotateUnpublishMemoryRange,
                 (const char *file, int line, const volatile void *address,
                  unsigned long size));
RACERT_FUNCTION_(AnnotatePCQCreate,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotatePCQDestroy,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotatePCQPut,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotatePCQGet,
                 (const char *file, int line, const volatile void *object));
RACERT_FUNCTION_(AnnotateThreadName,
                 (const char *file, int line, const char *name));
RACERT_FUNCTION_(AnnotateTraceMemory,
                 (const char *file, int line, const volatile void *address));
RACERT_FUNCTION_(AnnotateFlushState, (const char *file, int line));
RACERT_FUNCTION_(AnnotateNoOp,
                 (const char *file, int line, const volatile void *object));

#undef RACERT_FUNCTION_

#ifdef __cplusplus
} /* extern "C" */
#endif

#define RACERT_ANNOTATE_(function, arguments)                                  \
  do {                                                                         \
    if (racert_##function)                                                     \
      racert_##function arguments;                                             \
  } while (0)
#define RACERT_UNPROTECTED_READ_(value)                                        \
  __extension__({                                                              \
    ANNOTATE_IGNORE_READS_BEGIN();                                             \
    __typeof__(value) racert_value_ = (value);                                 \
    ANNOTATE_IGNORE_READS_END();                                               \
    racert_value_;                                                             \
  })

#else /* nothing checks this code */

#define RACERT_ANNOTATE_(function, arguments)                                  \
  do {                                                                         \
  } while (0)
#define RACERT_UNPROTECTED_READ_(value) (value)

#endif /* RACERT_ANNOTATIONS_ON_ */

/*
 * Ordering. Everything before ANNOTATE_HAPPENS_BEFORE(object) in one thread
 * happens before everything after a later ANNOTATE_HAPPENS_AFTER(object) in
 * another. `object` is any pointer both sides agree on.
 */
#ifndef ANNOTATE_HAPPENS_BEFORE
#define ANNOTATE_HAPPENS_BEFORE(object)                                        \
  RACERT_ANNOTATE_(AnnotateHappensBefore, (__FILE__, __LINE__, (object)))
#endif
#ifndef ANNOTATE_HAPPENS_AFTER
#define ANNOTATE_HAPPENS_AFTER(object)                                         \
  RACERT_ANNOTATE_(AnnotateHappensAfter, (__FILE__, __LINE__, (object)))
#endif

/*
 * Condition variables of your own making: a signal happens before the waits
 * that come after it. CONDVAR_LOCK_WAIT stands after the loop that waits,
 * whether or not it had to, where `lock` is held.
 */
#ifndef ANNOTATE_CONDVAR_SIGNAL
#define ANNOTATE_CONDVAR_SIGNAL(condvar)                                       \
  RACERT_ANNOTATE_(AnnotateCondVarSignal, (__FILE__, __LINE__, (condvar)))
#endif
#ifndef ANNOTATE_CONDVAR_SIGNAL_ALL
#define ANNOTATE_CONDVAR_SIGNAL_ALL(condvar)                                   \
  RACERT_ANNOTATE_(AnnotateCondVarSignalAll, (__FILE__, __LINE__, (condvar)))
#endif
#ifndef ANNOTATE_CONDVAR_WAIT
#define ANNOTATE_CONDVAR_WAIT(condvar)                                         \
  RACERT_ANNOTATE_(AnnotateCondVarWait, (__FILE__, __LINE__, (condvar), 0))
#endif
#ifndef ANNOTATE_CONDVAR_LOCK_WAIT
#define ANNOTATE_CONDVAR_LOCK_WAIT(condvar, lock)                              \
  RACERT_ANNOTATE_(AnnotateCondVarWait, (__FILE__, __LINE__, (condvar), (lock)))
#endif

/*
 * A function that waits on a condition variable once, for its caller: loops
 * that call it are understood like loops round pthread_cond_wait. Stands in
 * front of its declaration and names the positions of the two parameters,
 * from 0. Needed only where racert cannot see it for itself: the function is
 * in another file, does not have a known name, and the files are not compiled
 * with -flto.
 */
#ifndef RACERT_WAITS_ON
#if defined(__RACERT__) && defined(__clang__)
#define RACERT_WAITS_ON(condvar, mutex)                                        \
  __attribute__((annotate("racert_wait(" #condvar "," #mutex ")")))
#else
#define RACERT_WAITS_ON(condvar, mutex)
#endif
#endif

/*
 * Locks whose unlock is meant to happen before the next lock, and the opposite
 * (which is what every lock is without a word). Stands after the lock's
 * initialisation. Without it mode=hybrid takes the order in which two critical
 * sections happened to run for chance unless they share data; to mode=hb every
 * lock orders.
 */
#ifndef ANNOTATE_PURE_HAPPENS_BEFORE_MUTEX
#define ANNOTATE_PURE_HAPPENS_BEFORE_MUTEX(mutex)                              \
  RACERT_ANNOTATE_(AnnotateMutexIsUsedAsCondVar, (__FILE__, __LINE__, (mutex)))
#endif
#ifndef ANNOTATE_MUTEX_IS_USED_AS_CONDVAR
#define ANNOTATE_MUTEX_IS_USED_AS_CONDVAR(mutex)                               \
  RACERT_ANNOTATE_(AnnotateMutexIsUsedAsCondVar, (__FILE__, __LINE__, (mutex)))
#endif
#ifndef ANNOTATE_NOT_HAPPENS_BEFORE_MUTEX
#define ANNOTATE_NOT_HAPPENS_BEFORE_MUTEX(mutex)                               \
  RACERT_ANNOTATE_(AnnotateMutexIsNotPHB, (__FILE__, __LINE__, (mutex)))
#endif

/*
 * Races that are meant to be: those on *address, or on `size` bytes from
 * address, are not reported. `why` is a string for the reader of the code.
 * BENIGN_RACE_STATIC stands at file scope, for a variable of the same file.
 */
#ifndef ANNOTATE_BENIGN_RACE_SIZED
#define ANNOTATE_BENIGN_RACE_SIZED(address, size, why)                         \
  RACERT_ANNOTATE_(AnnotateBenignRaceSized,                                    \
                   (__FILE__, __LINE__, (address), (size), (why)))
#endif
#ifndef ANNOTATE_BENIGN_RACE
#define ANNOTATE_BENIGN_RACE(address, why)                                     \
  ANNOTATE_BENIGN_RACE_SIZED((address), sizeof(*(address)), (why))
#endif
#ifndef ANNOTATE_BENIGN_RACE_STATIC
#ifdef RACERT_ANNOTATIONS_ON_
#define ANNOTATE_BENIGN_RACE_STATIC(variable, why)                             \
  __attribute__((constructor, unused)) static void                             \
  racert_benign_##variable(void) {                                             \
    ANNOTATE_BENIGN_RACE_SIZED(&variable, sizeof(variable), (why));            \
  }                                                                            \
  struct racert_benign_end_##variable
#else
#define ANNOTATE_BENIGN_RACE_STATIC(variable, why)                             \
  struct racert_benign_end_##variable
#endif
#endif

/*
 * Between BEGIN and END the current thread's reads, writes or synchronisation
 * are not looked at. The pairs nest; one that is left open is reported.
 */
#ifndef ANNOTATE_IGNORE_READS_BEGIN
#define ANNOTATE_IGNORE_READS_BEGIN()                                          \
  RACERT_ANNOTATE_(AnnotateIgnoreReadsBegin, (__FILE__, __LINE__))
#endif
#ifndef ANNOTATE_IGNORE_READS_END
#define ANNOTATE_IGNORE_READS_END()                                            \
  RACERT_ANNOTATE_(AnnotateIgnoreReadsEnd, (__FILE__, __LINE__))
#endif
#ifndef ANNOTATE_IGNORE_WRITES_BEGIN
#define ANNOTATE_IGNORE_WRITES_BEGIN()                                         \
  RACERT_ANNOTATE_(AnnotateIgnoreWritesBegin, (__FILE__, __LINE__))
#endif
#ifndef ANNOTATE_IGNORE_WRITES_END
#define ANNOTATE_IGNORE_WRITES_END()                                           \
  RACERT_ANNOTATE_(AnnotateIgnoreWritesEnd, (__FILE__, __LINE__))
#endif
#ifndef ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN
#define ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN()                               \
  do {                                                                         \
    ANNOTATE_IGNORE_READS_BEGIN();                                             \
    ANNOTATE_IGNORE_WRITES_BEGIN();                                            \
  } while (0)
#endif
#ifndef ANNOTATE_IGNORE_READS_AND_WRITES_END
#define ANNOTATE_IGNORE_READS_AND_WRITES_END()                                 \
  do {                                                                         \
    ANNOTATE_IGNORE_WRITES_END();                                              \
    ANNOTATE_IGNORE_READS_END();                                               \
  } while (0)
#endif
#ifndef ANNOTATE_IGNORE_SYNC_BEGIN
#define ANNOTATE_IGNORE_SYNC_BEGIN()                                           \
  RACERT_ANNOTATE_(AnnotateIgnoreSyncBegin, (__FILE__, __LINE__))
#endif
#ifndef ANNOTATE_IGNORE_SYNC_END
#define ANNOTATE_IGNORE_SYNC_END()                                             \
  RACERT_ANNOTATE_(AnnotateIgnoreSyncEnd, (__FILE__, __LINE__))
#endif

/*
 * The value of an expression whose reads are not looked at.
 */
#ifndef ANNOTATE_UNPROTECTED_READ
#define ANNOTATE_UNPROTECTED_READ(value) RACERT_UNPROTECTED_READ_(value)
#endif

/*
 * Locks of your own making. `lock` is the address that identifies the lock;
 * `is_write` is 1 for exclusive, 0 for shared. RWLOCK_CREATE_STATIC is for a
 * lock that is never destroyed. ACQUIRED comes right after taking the lock,
 * RELEASED right before giving it back.
 */
#ifndef ANNOTATE_RWLOCK_CREATE
#define ANNOTATE_RWLOCK_CREATE(lock)                                           \
  RACERT_ANNOTATE_(AnnotateRWLockCreate, (__FILE__, __LINE__, (lock)))
#endif
#ifndef ANNOTATE_RWLOCK_CREATE_STATIC
#define ANNOTATE_RWLOCK_CREATE_STATIC(lock)                                    \
  RACERT_ANNOTATE_(AnnotateRWLockCreateStatic, (__FILE__, __LINE__, (lock)))
#endif
#ifndef ANNOTATE_RWLOCK_DESTROY
#define ANNOTATE_RWLOCK_DESTROY(lock)                                          \
  RACERT_ANNOTATE_(AnnotateRWLockDestroy, (__FILE__, __LINE__, (lock)))
#endif
#ifndef ANNOTATE_RWLOCK_ACQUIRED
#define ANNOTATE_RWLOCK_ACQUIRED(lock, is_write)                               \
  RACERT_ANNOTATE_(AnnotateRWLockAcquired,                                     \
                   (__FILE__, __LINE__, (lock), (is_write)))
#endif
#ifndef ANNOTATE_RWLOCK_RELEASED
#define ANNOTATE_RWLOCK_RELEASED(lock, is_write)                               \
  RACERT_ANNOTATE_(AnnotateRWLockReleased,                                     \
                   (__FILE__, __LINE__, (lock), (is_write)))
#endif

/*
 * Memory that changes hands. NEW_MEMORY: an allocator of your own handed it
 * out, and what its former owner did no longer matters. PUBLISH: what was done
 * to it so far happens before whatever others do to it from now on. UNPUBLISH:
 * whatever others did to it happens before what this thread does next.
 */
#ifndef ANNOTATE_NEW_MEMORY
#define ANNOTATE_NEW_MEMORY(address, size)                                     \
  RACERT_ANNOTATE_(AnnotateNewMemory, (__FILE__, __LINE__, (address), (size)))
#endif
#ifndef ANNOTATE_PUBLISH_MEMORY_RANGE
#define ANNOTATE_PUBLISH_MEMORY_RANGE(address, size)                           \
  RACERT_ANNOTATE_(AnnotatePublishMemoryRange,                                 \
                   (__FILE__, __LINE__, (address), (size)))
#endif
#ifndef ANNOTATE_UNPUBLISH_MEMORY_RANGE
#define ANNOTATE_UNPUBLISH_MEMORY_RANGE(address, size)                         \
  RACERT_ANNOTATE_(AnnotateUnpublishMemoryRange,                               \
                   (__FILE__, __LINE__, (address), (size)))
#endif
#ifndef ANNOTATE_SWAP_MEMORY_RANGE
#define ANNOTATE_SWAP_MEMORY_RANGE(address, size)                              \
  do {                                                                         \
    ANNOTATE_UNPUBLISH_MEMORY_RANGE((address), (size));                        \
    ANNOTATE_PUBLISH_MEMORY_RANGE((address), (size));                          \
  } while (0)
#endif

/*
 * First-in first-out message queues of your own making: a message's PUT happens
 * before its GET. PUT and GET stand where the queue's own lock is held.
 */
#ifndef ANNOTATE_PCQ_CREATE
#define ANNOTATE_PCQ_CREATE(queue)                                             \
  RACERT_ANNOTATE_(AnnotatePCQCreate, (__FILE__, __LINE__, (queue)))
#endif
#ifndef ANNOTATE_PCQ_DESTROY
#define ANNOTATE_PCQ_DESTROY(queue)                                            \
  RACERT_ANNOTATE_(AnnotatePCQDestroy, (__FILE__, __LINE__, (queue)))
#endif
#ifndef ANNOTATE_PCQ_PUT
#define ANNOTATE_PCQ_PUT(queue)                                                \
  RACERT_ANNOTATE_(AnnotatePCQPut, (__FILE__, __LINE__, (queue)))
#endif
#ifndef ANNOTATE_PCQ_GET
#define ANNOTATE_PCQ_GET(queue)                                                \
  RACERT_ANNOTATE_(AnnotatePCQGet, (__FILE__, __LINE__, (queue)))
#endif

/*
 * The name of the current thread in reports.
 */
#ifndef ANNOTATE_THREAD_NAME
#define ANNOTATE_THREAD_NAME(name)                                             \
  RACERT_ANNOTATE_(AnnotateThreadName, (__FILE__, __LINE__, (name)))
#endif

/*
 * For tests of a detector: a race on the byte at `address` has to happen before
 * the program ends, or before FLUSH_EXPECTED_RACES. It is not reported; its
 * absence is, as an error.
 */
#ifndef ANNOTATE_EXPECT_RACE
#define ANNOTATE_EXPECT_RACE(address, why)                                     \
  RACERT_ANNOTATE_(AnnotateExpectRace, (__FILE__, __LINE__, (address), (why)))
#endif
#ifndef ANNOTATE_FLUSH_EXPECTED_RACES
#define ANNOTATE_FLUSH_EXPECTED_RACES()                                        \
  RACERT_ANNOTATE_(AnnotateFlushExpectedRaces, (__FILE__, __LINE__))
#endif

/*
 * Switches the reporting of races off (0) and on (1) for the whole process;
 * forgets everything recorded so far; asks for more detail about an address,
 * which racert's reports have anyway; does nothing at all.
 */
#ifndef ANNOTATE_ENABLE_RACE_DETECTION
#define ANNOTATE_ENABLE_RACE_DETECTION(enable)                                 \
  RACERT_ANNOTATE_(AnnotateEnableRaceDetection, (__FILE__, __LINE__, (enable)))
#endif
#ifndef ANNOTATE_FLUSH_STATE
#define ANNOTATE_FLUSH_STATE()                                                 \
  RACERT_ANNOTATE_(AnnotateFlushState, (__FILE__, __LINE__))
#endif
#ifndef ANNOTATE_TRACE_MEMORY
#define ANNOTATE_TRACE_MEMORY(address)                                         \
  RACERT_ANNOTATE_(AnnotateTraceMemory, (__FILE__, __LINE__, (address)))
#endif
#ifndef ANNOTATE_NO_OP
#define ANNOTATE_NO_OP(argument)                                               \
  RACERT_ANNOTATE_(AnnotateNoOp, (__FILE__, __LINE__, (argument)))
#endif

#endif /* RACERT_ANNOTATIONS_H */
