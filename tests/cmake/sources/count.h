/* Two threads count, with or without a lock. */
#ifndef COUNT_H
#define COUNT_H
#ifdef __cplusplus
extern "C" {
#endif
/* Counts in two threads at once; nobody orders them. */
int count_racy(void);
/* Counts in two threads under a lock. */
int count_locked(void);
#ifdef __cplusplus
}
#endif
#endif
