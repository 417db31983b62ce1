// A stand-in for the runtime that only counts and records. It maps the shadow
// of the addresses the process uses on demand and never writes to it: every
// test hits, or with MOCK_MISS set every test misses.
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct block {
  uint64_t current;
  void **frames;
  void *thread;
  uintptr_t caller;
  uint64_t rest[4];
};

__attribute__((tls_model("initial-exec"), aligned(64))) __thread struct block __racert_tls;
static void *stack[1 << 16];
static int started;

struct counts {
  long read[17], write[17], read_range, read_range_bytes, write_range, write_range_bytes;
  long vptr_read, vptr_write, copies, fills, atomics, brackets, fences, attaches, inits;
} mock;

static void map_shadow(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)context;
  uintptr_t page = (uintptr_t)info->si_addr & ~(uintptr_t)0xfffff;
  void *p = mmap((void *)page, 0x100000, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED || page < 0x100000000000 || page > 0x500000000000) {
    dprintf(2, "mock: bad access to %p\n", info->si_addr);
    _Exit(70);
  }
}

// The functions of the heap under the names that instrumented code calls.
void *__racert_heap_malloc(size_t size) { return malloc(size); }
void __racert_heap_free(void *block) { free(block); }
void *__racert_heap__Znwm(size_t size) { return malloc(size); }
void *__racert_heap__Znam(size_t size) { return malloc(size); }
void __racert_heap__ZdlPv(void *block) { free(block); }
void __racert_heap__ZdlPvm(void *block, size_t size) { (void)size, free(block); }
void __racert_heap__ZdaPv(void *block) { free(block); }
void __racert_heap__ZdaPvm(void *block, size_t size) { (void)size, free(block); }

__attribute__((constructor(101))) static void start(void) {
  if (started)
    return;
  started = 1;
  static char alternate[1 << 16];
  stack_t st = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&st, 0);
  struct sigaction action = {.sa_sigaction = map_shadow, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGSEGV, &action, 0);
  // Anything but 0: untouched shadow then differs in every segment.
  if (getenv("MOCK_MISS"))
    __racert_tls.current = 1ull << 52 | 1ull << 50;
}

void __racert_constructed(void) {}
void __racert_destructing(void) {}
void __racert_opened(void *handle) { (void)handle; }

__attribute__((weak)) void __cxa_end_catch(void);
void __racert_cxx___cxa_end_catch(void) { __cxa_end_catch(); }

void __racert_init(uint32_t version) {
  start();
  mock.inits++;
  if (version != ABI_VERSION)
    abort();
}

// The bytes of one buffer that were checked.
static unsigned char touched[1 << 16];
static uintptr_t watched, watched_size;

void mock_watch(void *start, size_t size) {
  if (start)
    memset(touched, 0, sizeof touched);
  watched = (uintptr_t)start, watched_size = size;
}
unsigned char *mock_touched(void) { return touched; }

static void touch(void *p, size_t n, int bits) {
  for (size_t i = 0; i < n; i++) {
    uintptr_t at = (uintptr_t)p + i - watched;
    if (at < watched_size)
      touched[at] |= bits;
  }
}

// With the stand-in for waits linked in, reads are noted there.
__attribute__((weak)) void waits_note(void *address);
static void note(void *p) {
  if (waits_note)
    waits_note(p);
}

#define PRESERVE __attribute__((preserve_most))
PRESERVE void **__racert_attach(void) {
  start();
  mock.attaches++;
  __racert_tls.frames = stack;
  return stack;
}

#define ACCESS(n)                                                                        \
  PRESERVE void __racert_read##n(void *p) { note(p), touch(p, n, 1), mock.read[n]++; }                     \
  PRESERVE void __racert_write##n(void *p) { touch(p, n, 2), mock.write[n]++; }
ACCESS(1) ACCESS(2) ACCESS(4) ACCESS(8) ACCESS(16)

void __racert_read_range(void *p, size_t n) {
  note(p), touch(p, n, 1), mock.read_range++, mock.read_range_bytes += n;
}
void __racert_write_range(void *p, size_t n) {
  touch(p, n, 2), mock.write_range++, mock.write_range_bytes += n;
}
void __racert_vptr_write(void *p, void *q) { (void)p, (void)q, mock.vptr_write++; }
void __racert_vptr_read(void *p) { (void)p, mock.vptr_read++; }
void *__racert_memcpy(void *d, const void *s, size_t n) { return touch(d, n, 2), touch((void *)s, n, 1), mock.copies++, memcpy(d, s, n); }
void *__racert_memmove(void *d, const void *s, size_t n) { return touch(d, n, 2), touch((void *)s, n, 1), mock.copies++, memmove(d, s, n); }
void *__racert_memset(void *d, int c, size_t n) { return touch(d, n, 2), mock.fills++, memset(d, c, n); }
void __racert_atomic_rmw_begin(void *p, uint32_t n, int o) { (void)p, (void)n, (void)o, mock.brackets++; }
void __racert_atomic_rmw_end(void *p, uint32_t n, int o) { (void)p, (void)n, (void)o; }
void __racert_fence(int o) { (void)o, mock.fences++, __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#define ATOMIC(bits, T)                                                                  \
  T __racert_atomic##bits##_load(T *p, int o) {                                           \
    return (void)o, mock.atomics++, __atomic_load_n(p, __ATOMIC_SEQ_CST);                  \
  }                                                                                      \
  void __racert_atomic##bits##_store(T *p, T v, int o) {                                  \
    (void)o, mock.atomics++, __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                     \
  }                                                                                      \
  T __racert_atomic##bits##_exchange(T *p, T v, int o) {                                  \
    return (void)o, mock.atomics++, __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);           \
  }                                                                                      \
  T __racert_atomic##bits##_compare_exchange(T *p, T e, T d, int o, int f) {              \
    (void)o, (void)f, mock.atomics++;                                                    \
    __atomic_compare_exchange_n(p, &e, d, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
    return e;                                                                            \
  }
#define RMW(bits, T, op)                                                                 \
  T __racert_atomic##bits##_fetch_##op(T *p, T v, int o) {                                \
    return (void)o, mock.atomics++, __atomic_fetch_##op(p, v, __ATOMIC_SEQ_CST);           \
  }
#define ALL(bits, T)                                                                     \
  ATOMIC(bits, T)                                                                        \
  RMW(bits, T, add) RMW(bits, T, sub) RMW(bits, T, and) RMW(bits, T, or)                  \
  RMW(bits, T, xor) RMW(bits, T, nand)
ALL(8, uint8_t) ALL(16, uint16_t) ALL(32, uint32_t) ALL(64, uint64_t)
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
ALL(128, unsigned __int128)
#endif

static long sum(const long *n) {
  long s = 0;
  for (int i = 0; i < 17; i++)
    s += n[i];
  return s;
}

__attribute__((destructor)) static void finish(void) {
  if (!getenv("MOCK_PRINT"))
    return;
  fprintf(stderr,
          "reads=%ld writes=%ld read_ranges=%ld/%ld write_ranges=%ld/%ld vptr=%ld/%ld copies=%ld "
          "fills=%ld atomics=%ld brackets=%ld fences=%ld frames=%ld\n",
          sum(mock.read), sum(mock.write), mock.read_range, mock.read_range_bytes,
          mock.write_range, mock.write_range_bytes, mock.vptr_read, mock.vptr_write, mock.copies,
          mock.fills, mock.atomics, mock.brackets, mock.fences,
          (long)(__racert_tls.frames - (void **)stack) / 2);
}

// Of loops that wait only if a function of another file does. The other half of
// the stand-in has its own.
__attribute__((weak)) uint32_t __racert_waits(const uint64_t *table) { return (void)table, 0; }
__attribute__((weak)) void __racert_wait_loop_exit(void *condvar, void *mutex, uint32_t flags,
                                                   uint32_t count, const void *conditions) {
  (void)condvar, (void)mutex, (void)flags, (void)count, (void)conditions;
}
__attribute__((weak)) void __racert_condition_begin(uint32_t flags) { (void)flags; }
__attribute__((weak)) void __racert_condition_end(void) {}
