// What valgrind's headers make of an annotation: a request code and its
// arguments in an array, its address in rax, and instructions that do nothing.
#ifndef CLIENT_REQUEST_H
#define CLIENT_REQUEST_H

enum {
  REQUEST_HELGRIND = 'H' << 24 | 'G' << 16,
  REQUEST_DRD = 'D' << 24 | 'R' << 16,
  REQUEST_FORGET = REQUEST_HELGRIND,
  REQUEST_LOCK_ACQUIRED = REQUEST_HELGRIND + 256 + 17,
  REQUEST_LOCK_RELEASED = REQUEST_HELGRIND + 256 + 18,
  REQUEST_BEFORE = REQUEST_HELGRIND + 256 + 33,
  REQUEST_AFTER = REQUEST_HELGRIND + 256 + 34,
  REQUEST_BENIGN = REQUEST_DRD + 2,
  REQUEST_BENIGN_END = REQUEST_DRD + 3,
  REQUEST_RECORD_WRITES = REQUEST_DRD + 7
};

static inline void client_request(unsigned long code, const volatile void *object,
                                  unsigned long second) {
  volatile unsigned long request[6] = {code, (unsigned long)object, second, 0, 0, 0};
  unsigned long result = 0;
  __asm__ volatile("rolq $3, %%rdi ; rolq $13, %%rdi\n\t"
                   "rolq $61, %%rdi ; rolq $51, %%rdi\n\t"
                   "xchgq %%rbx,%%rbx"
                   : "=d"(result)
                   : "a"(&request[0]), "0"(result)
                   : "cc", "memory");
}

#endif
