// What the halves of the program share.
#ifndef PART_H
#define PART_H

#ifdef __cplusplus
extern "C" {
#endif

struct __attribute__((packed)) record {
  char tag;
  int number;
  long long wide;
  short half;
  double real;
};

extern int shared;
void touch(int value);
void fill(struct record *record, int number);
void check_sum(const struct record *record, int number);

#ifdef __cplusplus
}
#endif
#endif
