// OpenMP's constructs one by one, each correct and with a race: the first
// argument says which, the second is "race" or "quiet".
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scenarios/invisible.h"

#define COUNT 16

static int race;
static int value;
static int numbers[COUNT];

// Two threads come here one after the other, and touch what they share.
static void touch(int turn) {
  if (!race) return;
  wait_for_step(turn);
  value++;
  take_step();
}

static void region(void) {
  value = 1;
#pragma omp parallel num_threads(2)
  {
    numbers[omp_get_thread_num()] = value;
    touch(omp_get_thread_num());
  }
  value = numbers[0] + numbers[1];
}

static void loop(void) {
#pragma omp parallel for num_threads(2) schedule(static)
  for (int i = 0; i < COUNT; i++) {
    numbers[i] = i;
    if (i % (COUNT / 2) == 0) touch(i != 0);
  }
  for (int i = 0; i < COUNT; i++) value += numbers[i];
}

static void barrier(void) {
#pragma omp parallel num_threads(2)
  {
    numbers[omp_get_thread_num()] = 1;
#pragma omp barrier
    numbers[2 + omp_get_thread_num()] = numbers[1 - omp_get_thread_num()];
    touch(omp_get_thread_num());
  }
}

static void single(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    value = 1;
    numbers[omp_get_thread_num()] = value;
#pragma omp barrier
    touch(omp_get_thread_num());
  }
}

static void copied(void) {
  int made;
#pragma omp parallel num_threads(2) private(made)
  {
#pragma omp single copyprivate(made)
    made = 7;
    numbers[omp_get_thread_num()] = made;
    touch(omp_get_thread_num());
  }
}

static void critical(void) {
#pragma omp parallel num_threads(2)
  {
    touch(omp_get_thread_num());
#pragma omp critical
    value++;
#pragma omp critical(name)
    numbers[0]++;
  }
}

static void reduction(void) {
  int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < COUNT; i++) {
    sum += i;
    if (i % (COUNT / 2) == 0) touch(i != 0);
  }
  value = sum;
}

static void ordered(void) {
#pragma omp parallel for num_threads(2) ordered schedule(static, 1)
  for (int i = 0; i < COUNT; i++) {
    if (i < 2) touch(i);
#pragma omp ordered
    numbers[0] += i;
  }
}

// Each iteration waits for the one before it.
static void doacross(void) {
#pragma omp parallel for num_threads(2) ordered(1) schedule(static, 1)
  for (int i = 1; i < COUNT; i++) {
    if (i < 3) touch(i - 1);
#pragma omp ordered depend(sink : i - 1)
    numbers[i] = numbers[i - 1] + 1;
#pragma omp ordered depend(source)
  }
}

static void doacross_unsigned(void) {
#pragma omp parallel for num_threads(2) ordered(2) schedule(static, 1)
  for (unsigned long long i = 1; i < 4; i++)
    for (unsigned long long j = 0; j < 4; j++) {
      if (i < 3 && j == 0) touch((int)i - 1);
#pragma omp ordered depend(sink : i - 1, j)
      numbers[4 * i + j] = numbers[4 * i - 4 + j] + 1;
#pragma omp ordered depend(source)
    }
}

// Each section has a thread of its own if they touch what they share.
static void one_section(void) {
  numbers[0] = 1;
  if (!race) return;
  wait_for_step(1);
  value++;
  take_step();
}

static void other_section(void) {
  numbers[1] = 2;
  if (!race) return;
  take_step();
  wait_for_step(2);
  value++;
}

static void sections(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp sections
    {
#pragma omp section
      one_section();
#pragma omp section
      other_section();
    }
    numbers[2 + omp_get_thread_num()] = numbers[0] + numbers[1];
  }
  value = numbers[2] + numbers[3];
}

static void parallel_sections(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    one_section();
#pragma omp section
    other_section();
  }
  value = numbers[0] + numbers[1];
}

static void tasks(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    {
      for (int i = 0; i < COUNT; i++) {
#pragma omp task firstprivate(i)
        numbers[i] = i;
      }
#pragma omp taskwait
      for (int i = 0; i < COUNT; i++) value += numbers[i];
    }
    touch(omp_get_thread_num());
  }
}

static void depend(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    for (int i = 0; i < COUNT; i++) {
#pragma omp task depend(inout : value) shared(value)
      value++;
    }
    touch(omp_get_thread_num());
  }
}

// gcc has large arguments copied by a function of the program, others as they
// are; tasks that are not deferred get them where they were.
struct Large {
  char bytes[300];
};

struct Aligned {
  _Alignas(64) long numbers[8];
};

static int wrong(const struct Large *large, const struct Aligned *aligned, int i) {
  int count = (size_t)aligned % 64 != 0;
  for (int j = 0; j < 300; j++) count += large->bytes[j] != (char)i;
  for (int j = 0; j < 8; j++) count += aligned->numbers[j] != i + j;
  return count;
}

static void arguments(void) {
  int failed = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    for (int i = 0; i < 10 * COUNT; i++) {
      struct Large large;
      struct Aligned aligned;
      memset(&large, i, sizeof large);
      for (int j = 0; j < 8; j++) aligned.numbers[j] = i + j;
#pragma omp task firstprivate(large, aligned, i) shared(failed) if (i % 3)
      {
        int count = wrong(&large, &aligned, i);
#pragma omp atomic
        failed += count;
      }
#pragma omp task firstprivate(i) shared(failed) final(i % 2)
      {
#pragma omp atomic
        failed += i < 0;
      }
    }
    touch(omp_get_thread_num());
  }
  if (failed) exit(1);
}

static void taskloop(void) {
  long sum = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    {
      for (int i = 0; i < COUNT; i++) numbers[i] = i;
#pragma omp taskloop grainsize(2) reduction(+ : sum)
      for (int i = 0; i < COUNT; i++) sum += numbers[i]++;
      for (int i = 0; i < COUNT; i++) value += numbers[i];
      // Nobody but the barrier waits for these.
#pragma omp taskloop num_tasks(8) nogroup
      for (unsigned long long i = 0; i < COUNT; i++) numbers[i]++;
    }
    touch(omp_get_thread_num());
  }
  for (int i = 0; i < COUNT; i++) value += numbers[i];
  if (sum != COUNT * (COUNT - 1) / 2) exit(1);
}

static void task_reduction(void) {
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(task, + : sum)
  {
    sum++;
#pragma omp task in_reduction(+ : sum)
    sum += 2;
#pragma omp barrier
    touch(omp_get_thread_num());
  }
  if (sum != 6) exit(1);
#pragma omp parallel num_threads(2)
  {
#pragma omp for reduction(task, + : sum) schedule(static, 1)
    for (int i = 0; i < COUNT; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += i;
    }
    numbers[omp_get_thread_num()] = (int)sum;
  }
  if (numbers[0] != 6 + COUNT * (COUNT - 1) / 2) exit(1);
}

static void detach(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    for (int i = 0; i < COUNT; i++) {
      omp_event_handle_t event;
      int before = value, other = 0;
#pragma omp task detach(event) shared(value) firstprivate(before)
      value = before + 1;
#pragma omp task firstprivate(event) shared(other)
      {
        other = 1;
        omp_fulfill_event(event);
      }
#pragma omp taskwait
      value += other;
    }
#pragma omp barrier
    touch(omp_get_thread_num());
  }
  if (value < 2 * COUNT) exit(1);
}

static void depobj(void) {
  omp_depend_t writes, reads;
#pragma omp depobj(writes) depend(out : value)
#pragma omp depobj(reads) depend(in : value)
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    for (int i = 0; i < COUNT; i++) {
#pragma omp task depend(depobj : writes)
      value++;
#pragma omp task depend(depobj : reads) depend(out : numbers[i])
      numbers[i] = value;
    }
    touch(omp_get_thread_num());
  }
#pragma omp depobj(writes) destroy
#pragma omp depobj(reads) destroy
}

// More dimensions than arguments go in registers.
#define ONE(n) for (int n = 0; n < 1; n++)
static void doacross_deep(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for ordered(16) schedule(static, 1)
    for (int i = 0; i < COUNT; i++)
      ONE(a) ONE(b) ONE(c) ONE(d) ONE(e) ONE(f) ONE(g) ONE(h)
      ONE(j) ONE(k) ONE(l) ONE(m) ONE(n) ONE(o)
      for (int p = 0; p < 4; p++) {
#pragma omp ordered depend(sink : i - 1, a, b, c, d, e, f, g, h, j, k, l, m, n, o, p)
        if (i && p == 3) value += numbers[i - 1];
        if (p == 3) numbers[i] = i;
#pragma omp ordered depend(source)
      }
    touch(omp_get_thread_num());
  }
}

static const struct {
  const char *name;
  void (*run)(void);
} constructs[] = {
    {"region", region},       {"loop", loop},
    {"barrier", barrier},     {"single", single},
    {"copied", copied},       {"critical", critical},
    {"reduction", reduction}, {"ordered", ordered},
    {"doacross", doacross},   {"doacross_unsigned", doacross_unsigned},
    {"sections", sections},   {"parallel_sections", parallel_sections},
    {"tasks", tasks},         {"depend", depend},
    {"arguments", arguments}, {"taskloop", taskloop},
    {"detach", detach},       {"task_reduction", task_reduction},
    {"depobj", depobj},       {"doacross_deep", doacross_deep},
};

int main(int argc, char **argv) {
  int count = sizeof constructs / sizeof *constructs;
  if (argc < 3) {
    for (int i = 0; i < count; i++) puts(constructs[i].name);
    return 0;
  }
  race = !strcmp(argv[2], "race");
  for (int i = 0; i < count; i++)
    if (!strcmp(constructs[i].name, argv[1])) constructs[i].run();
  return 0;
}
