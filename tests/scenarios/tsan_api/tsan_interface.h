// The functions of ThreadSanitizer's interface that the scenarios call.
#ifndef TSAN_INTERFACE_H
#define TSAN_INTERFACE_H

#ifdef __cplusplus
extern "C" {
#endif

void __tsan_acquire(void *);
void __tsan_release(void *);
void __tsan_mutex_create(void *, unsigned flags);
void __tsan_mutex_destroy(void *, unsigned flags);
void __tsan_mutex_pre_lock(void *, unsigned flags);
void __tsan_mutex_post_lock(void *, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *, unsigned flags);
void __tsan_mutex_post_unlock(void *, unsigned flags);
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *);
void __tsan_switch_to_fiber(void *, unsigned flags);
void __tsan_set_fiber_name(void *, const char *);
void __tsan_on_report(void *report);
int __tsan_on_finalize(int failed);
void *__tsan_get_current_report(void);
int __tsan_get_report_data(void *report, const char **what, int *count, int *stacks, int *accesses,
                           int *locations, int *mutexes, int *threads, int *unique_threads,
                           void **sleep_trace, unsigned long trace_size);
int __tsan_get_report_mop(void *report, unsigned long index, int *thread, void **address, int *size,
                          int *write, int *atomic, void **trace, unsigned long trace_size);
void __tsan_java_init(unsigned long heap, unsigned long size);
int __tsan_java_fini(void);
void __tsan_java_alloc(unsigned long at, unsigned long size);
void __tsan_java_free(unsigned long at, unsigned long size);
void __tsan_java_move(unsigned long from, unsigned long to, unsigned long size);
unsigned long __tsan_java_find(unsigned long *from, unsigned long to);
void __tsan_java_mutex_lock(unsigned long at);
void __tsan_java_mutex_unlock(unsigned long at);
int __tsan_java_mutex_unlock_rec(unsigned long at);
void __sanitizer_syscall_pre_impl_read(long descriptor, long buffer, long size);
void __sanitizer_syscall_post_impl_read(long result, long descriptor, long buffer, long size);

#ifdef __cplusplus
}
#endif

#define MUTEX_READ_LOCK (1u << 3)
#define MUTEX_TRY_LOCK (1u << 4)
#define MUTEX_TRY_LOCK_FAILED (1u << 5)
#define FIBER_NO_SYNC 1u

#endif
