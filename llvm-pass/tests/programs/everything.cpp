#include <atomic>
#include <cstdio>
#include <cstring>
#include <vector>
#include <map>
#include <string>
#include <stdexcept>
#include <csetjmp>
struct B { virtual int f(int x) { return x; } virtual ~B() {} int q = 1; };
struct D : B { int f(int x) override { if (x > 100) throw std::runtime_error("big"); return q + x; } };
std::atomic<int> ai; std::atomic<double> ad; std::atomic<long*> ap; std::atomic<bool> ab;
__attribute__((aligned(16))) __int128 wide;
char buf[200], buf2[200];
struct Odd { char c[37]; } o1, o2;
__attribute__((noinline)) Odd pass(Odd o) { o.c[3]++; return o; }
jmp_buf jb;
__attribute__((noinline)) void jump(int n) { if (n == 0) longjmp(jb, 7); jump(n - 1); }
__attribute__((noinline)) void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i * 3; }
__attribute__((noinline)) long sum(const int *p, int n) { long s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
int main(int argc, char **argv) {
  B *b = argc > 5 ? new B : new D;
  int caught = 0;
  for (int i = 0; i < 10; i++) try { caught += b->f(i * 20); } catch (std::exception &e) { caught += 1000 + strlen(e.what()); }
  delete b;
  ai++; ai.store(5, std::memory_order_release); int e = 5; ai.compare_exchange_strong(e, 9);
  ad = 2.5; ad.store(ad.load() * 2); ab = true; long l = 3; ap = &l; (*ap)++;
  std::atomic_thread_fence(std::memory_order_acq_rel);
  int amin = __atomic_fetch_min((int*)&ai, 4, __ATOMIC_RELAXED);
  memset(buf, argc, sizeof buf); memcpy(buf2, buf, argc * 50); memmove(buf2 + 1, buf2, 100);
  o2 = pass(o1);
  std::map<std::string, std::vector<int>> m;
  for (int i = 0; i < 100; i++) m[std::to_string(i % 7)].push_back(i);
  int total = 0; for (auto &[k, v] : m) for (int x : v) total += x * k.size();
  int *arr = new int[1000]; fill(arr, 1000); long s = sum(arr, 1000);
  volatile int r = 0;
  if (int v = setjmp(jb)) r = v; else jump(20);
  int locked = 1; static int sl = 4;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(locked), "+m"(sl) :: "memory");
  __asm__ volatile("incl %0" : "+m"(sl));
  printf("%d %d %f %d %ld %d %d %d %ld %d %d %d\n", caught, ai.load(), ad.load(), (int)ab, l, amin, buf2[60], total, s, (int)r, locked, sl);
}
