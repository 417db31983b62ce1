/*
 * racert/api.h: findings, for programs and test frameworks.
 *
 * A test can fail itself when racert found something while it ran:
 *
 *     unsigned long mark = racert_mark();
 *     run_the_test();
 *     if (racert_findings_since(mark) != 0)
 *       fail("racert found something, see above");
 *
 * Everything here works whether or not the program was built with racert: the
 * functions behind it are referred to weakly, so there is nothing to link, and
 * without racert there are no findings. Only findings that change the exit
 * status are counted (see the option fail_on); all are told.
 *
 * racert/gtest.h and racert/catch2.h do this for the tests of GoogleTest and
 * Catch2. The header is plain C89 and C++98 and anything later.
 */
#ifndef RACERT_API_H
#define RACERT_API_H

#ifdef __cplusplus
extern "C" {
#endif

/* A finding. The texts are there until the function they were given to
 * returns. */
struct racert_finding {
  const char *kind;        /* as in records: "data-race", "deadlock", ... */
  const char *fingerprint; /* as in records; empty if there is none */
  const char *text;        /* the whole report, without colours */
  int fails;               /* does it change the exit status? */
};

/* Called with each finding after its report was written, in the thread that
 * came upon it, wherever that is at the moment: what the function does is not
 * checked, and it must not wait for locks that other code of the program
 * holds. */
typedef void (*racert_callback)(const struct racert_finding *finding, void *data);

extern void racert_api_on_finding_(racert_callback function, void *data)
    __asm__("__racert_api_on_finding") __attribute__((weak));
extern unsigned long racert_api_count_(void) __asm__("__racert_api_count")
    __attribute__((weak));
extern unsigned long racert_api_last_(char *room, unsigned long size)
    __asm__("__racert_api_last") __attribute__((weak));

#define RACERT_API_ static __inline__ __attribute__((unused))

/* Is racert in this process? */
RACERT_API_ int racert_is_there(void) { return racert_api_count_ != 0; }

/* A point in time to count findings from. */
RACERT_API_ unsigned long racert_mark(void) {
  return racert_api_count_ ? racert_api_count_() : 0;
}

/* Findings since then, of all threads. */
RACERT_API_ unsigned long racert_findings_since(unsigned long mark) {
  return racert_mark() - mark;
}

/* Has `function` called with each finding and `data`, in place of the function
 * given before; none if it is null. */
RACERT_API_ void racert_on_finding(racert_callback function, void *data) {
  if (racert_api_on_finding_)
    racert_api_on_finding_(function, data);
}

/* Copies the report of the last finding into `room`, as far as it fits in
 * `size` bytes with the zero at its end. Returns its length: 0 if there was no
 * finding. */
RACERT_API_ unsigned long racert_last_finding(char *room, unsigned long size) {
  if (racert_api_last_)
    return racert_api_last_(room, size);
  if (room && size)
    *room = 0;
  return 0;
}

#undef RACERT_API_

#ifdef __cplusplus
}
#endif

#endif
