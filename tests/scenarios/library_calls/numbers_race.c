// expect: data race
// orders: write-read read-write
// opt: O1
// flags: -fno-builtin
// names: #0 atoi (, #0 atol (, #0 atoll (, #0 atof (, #0 strtold (, #0 strtoimax (, #0 strtoumax (, #0 wcstol (, #0 wcstoll (, #0 wcstoul (, #0 wcstoull (, #0 wcstod (, #0 wcstof (
// reports: any
// tsan: skip, it does not know all of the functions
#include <inttypes.h>
#include <wchar.h>

#include "scenario.h"

// Numbers in texts.
char n0[32] = "12 some text";
char n1[32] = "12 some text";
char n2[32] = "12 some text";
char n3[32] = "12 some text";
char n4[32] = "12 some text";
char n5[32] = "12 some text";
char n6[32] = "12 some text";
wchar_t w20[32] = L"12 some text";
wchar_t w21[32] = L"12 some text";
wchar_t w22[32] = L"12 some text";
wchar_t w23[32] = L"12 some text";
wchar_t w24[32] = L"12 some text";
wchar_t w25[32] = L"12 some text";

NOINLINE static void writer(void) {
  n0[1] = '3'; // here
  n1[1] = '3'; // here
  n2[1] = '3'; // here
  n3[1] = '3'; // here
  n4[1] = '3'; // here
  n5[1] = '3'; // here
  n6[1] = '3'; // here
  w20[1] = L'3'; // here
  w21[1] = L'3'; // here
  w22[1] = L'3'; // here
  w23[1] = L'3'; // here
  w24[1] = L'3'; // here
  w25[1] = L'3'; // here
}
NOINLINE static void reader(void) {
  CONSUME(atoi(n0)); // here
  CONSUME(atol(n1)); // here
  CONSUME(atoll(n2)); // here
  CONSUME(atof(n3)); // here
  CONSUME(strtold(n4, NULL)); // here
  CONSUME(strtoimax(n5, NULL, 10)); // here
  CONSUME(strtoumax(n6, NULL, 10)); // here
  CONSUME(wcstol(w20, NULL, 10)); // here
  CONSUME(wcstoll(w21, NULL, 10)); // here
  CONSUME(wcstoul(w22, NULL, 10)); // here
  CONSUME(wcstoull(w23, NULL, 10)); // here
  CONSUME(wcstod(w24, NULL)); // here
  CONSUME(wcstof(w25, NULL)); // here
}

int main(void) {
  run_accesses(run_two, writer, reader);
}
