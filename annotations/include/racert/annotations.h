/*
 * racert/annotations.h: telling racert what it cannot see.
 *
 * Most programs need none of this: locks, condition variables, atomics and
 * message channels are understood as they are. Annotations are for
 * synchronisation by other means (a device, shared memory of another process,
 * hand-written assembly) and for races that are meant to be.
 *
 * Under racert (__RACERT__ is defined by racert-clang, the CMake package and
 * the pkg-config file) each macro calls the Annotate* function of that name,
 * if the runtime is in the process. Otherwise a macro is an empty statement
 * whose arguments are not evaluated. The functions are the established ones
 * of the dynamic annotations, so code that declares them itself works too.
 *
 * The header is plain C89 and C++98 and anything later.
 */
#ifndef RACERT_ANNOTATIONS_H
#define RACERT_ANNOTATIONS_H

#ifdef __RACERT__

#ifdef __cplusplus
extern "C" {
#endif

/* Weak: absent functions are null, so there is nothing to link. */
#define RACERT_WEAK_ __attribute__((weak))

void AnnotateHappensBefore(const char *file, int line,
                           const volatile void *object) RACERT_WEAK_;
void AnnotateHappensAfter(const char *file, int line,
                          const volatile void *object) RACERT_WEAK_;
void AnnotateBenignRaceSized(const char *file, int line,
                             const volatile void *address, unsigned long size,
                             const char *why) RACERT_WEAK_;
void AnnotateIgnoreReadsBegin(const char *file, int line) RACERT_WEAK_;
void AnnotateIgnoreReadsEnd(const char *file, int line) RACERT_WEAK_;
void AnnotateIgnoreWritesBegin(const char *file, int line) RACERT_WEAK_;
void AnnotateIgnoreWritesEnd(const char *file, int line) RACERT_WEAK_;
void AnnotateIgnoreSyncBegin(const char *file, int line) RACERT_WEAK_;
void AnnotateIgnoreSyncEnd(const char *file, int line) RACERT_WEAK_;
void AnnotateRWLockCreate(const char *file, int line,
                          const volatile void *lock) RACERT_WEAK_;
void AnnotateRWLockCreateStatic(const char *file, int line,
                                const volatile void *lock) RACERT_WEAK_;
void AnnotateRWLockDestroy(const char *file, int line,
                           const volatile void *lock) RACERT_WEAK_;
void AnnotateRWLockAcquired(const char *file, int line,
                            const volatile void *lock,
                            long is_write) RACERT_WEAK_;
void AnnotateRWLockReleased(const char *file, int line,
                            const volatile void *lock,
                            long is_write) RACERT_WEAK_;
void AnnotateNewMemory(const char *file, int line,
                       const volatile void *address,
                       unsigned long size) RACERT_WEAK_;
void AnnotateThreadName(const char *file, int line,
                        const char *name) RACERT_WEAK_;

#undef RACERT_WEAK_

#ifdef __cplusplus
} /* extern "C" */
#endif

#define RACERT_ANNOTATE_(function, arguments)                                  \
  do {                                                                         \
    if (function)                                                              \
      function arguments;                                                      \
  } while (0)

#else /* not under racert */

#define RACERT_ANNOTATE_(function, arguments)                                  \
  do {                                                                         \
  } while (0)

#endif /* __RACERT__ */

/*
 * Ordering. Everything before ANNOTATE_HAPPENS_BEFORE(object) in one thread
 * happens before everything after a later ANNOTATE_HAPPENS_AFTER(object) in
 * another. `object` is any pointer both sides agree on.
 */
#define ANNOTATE_HAPPENS_BEFORE(object)                                        \
  RACERT_ANNOTATE_(AnnotateHappensBefore, (__FILE__, __LINE__, (object)))
#define ANNOTATE_HAPPENS_AFTER(object)                                         \
  RACERT_ANNOTATE_(AnnotateHappensAfter, (__FILE__, __LINE__, (object)))

/*
 * Races that are meant to be: those on *address, or on `size` bytes from
 * address, are not reported. `why` is a string for the reader of a report.
 */
#define ANNOTATE_BENIGN_RACE(address, why)                                     \
  ANNOTATE_BENIGN_RACE_SIZED((address), sizeof(*(address)), (why))
#define ANNOTATE_BENIGN_RACE_SIZED(address, size, why)                         \
  RACERT_ANNOTATE_(AnnotateBenignRaceSized,                                    \
                   (__FILE__, __LINE__, (address), (size), (why)))

/*
 * Between BEGIN and END the current thread's reads, writes or synchronisation
 * are not looked at. The pairs nest.
 */
#define ANNOTATE_IGNORE_READS_BEGIN()                                          \
  RACERT_ANNOTATE_(AnnotateIgnoreReadsBegin, (__FILE__, __LINE__))
#define ANNOTATE_IGNORE_READS_END()                                            \
  RACERT_ANNOTATE_(AnnotateIgnoreReadsEnd, (__FILE__, __LINE__))
#define ANNOTATE_IGNORE_WRITES_BEGIN()                                         \
  RACERT_ANNOTATE_(AnnotateIgnoreWritesBegin, (__FILE__, __LINE__))
#define ANNOTATE_IGNORE_WRITES_END()                                           \
  RACERT_ANNOTATE_(AnnotateIgnoreWritesEnd, (__FILE__, __LINE__))
#define ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN()                               \
  do {                                                                         \
    ANNOTATE_IGNORE_READS_BEGIN();                                             \
    ANNOTATE_IGNORE_WRITES_BEGIN();                                            \
  } while (0)
#define ANNOTATE_IGNORE_READS_AND_WRITES_END()                                 \
  do {                                                                         \
    ANNOTATE_IGNORE_WRITES_END();                                              \
    ANNOTATE_IGNORE_READS_END();                                               \
  } while (0)
#define ANNOTATE_IGNORE_SYNC_BEGIN()                                           \
  RACERT_ANNOTATE_(AnnotateIgnoreSyncBegin, (__FILE__, __LINE__))
#define ANNOTATE_IGNORE_SYNC_END()                                             \
  RACERT_ANNOTATE_(AnnotateIgnoreSyncEnd, (__FILE__, __LINE__))

/*
 * Locks of your own making. `lock` is the address that identifies the lock;
 * `is_write` is 1 for exclusive, 0 for shared. RWLOCK_CREATE_STATIC is for a
 * lock that is never destroyed. ACQUIRED comes right after taking the lock,
 * RELEASED right before giving it back.
 */
#define ANNOTATE_RWLOCK_CREATE(lock)                                           \
  RACERT_ANNOTATE_(AnnotateRWLockCreate, (__FILE__, __LINE__, (lock)))
#define ANNOTATE_RWLOCK_CREATE_STATIC(lock)                                    \
  RACERT_ANNOTATE_(AnnotateRWLockCreateStatic, (__FILE__, __LINE__, (lock)))
#define ANNOTATE_RWLOCK_DESTROY(lock)                                          \
  RACERT_ANNOTATE_(AnnotateRWLockDestroy, (__FILE__, __LINE__, (lock)))
#define ANNOTATE_RWLOCK_ACQUIRED(lock, is_write)                               \
  RACERT_ANNOTATE_(AnnotateRWLockAcquired,                                     \
                   (__FILE__, __LINE__, (lock), (is_write)))
#define ANNOTATE_RWLOCK_RELEASED(lock, is_write)                               \
  RACERT_ANNOTATE_(AnnotateRWLockReleased,                                     \
                   (__FILE__, __LINE__, (lock), (is_write)))

/*
 * Memory handed out by an allocator of your own: what its former owner did to
 * these bytes no longer matters.
 */
#define ANNOTATE_NEW_MEMORY(address, size)                                     \
  RACERT_ANNOTATE_(AnnotateNewMemory,                                          \
                   (__FILE__, __LINE__, (address), (size)))

/* The name of the current thread in reports. */
#define ANNOTATE_THREAD_NAME(name)                                             \
  RACERT_ANNOTATE_(AnnotateThreadName, (__FILE__, __LINE__, (name)))

#endif /* RACERT_ANNOTATIONS_H */
