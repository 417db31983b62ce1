// expect: none
// flags: {pkg:glibmm-2.4}
// needs: glibmm.h
// tsan: false alarm, GLib is not instrumented
#include <glibmm.h>
#include <functional>

#include "scenario.h"

// glibmm's sources are of its own kind, and it looks at what GLib has them call.
int main() {
  Glib::init();
  auto loop = Glib::MainLoop::create();
  for (int round = 0; round < 50; round++) {
    int before = 0, in_loop = 0;
    std::function<void()> give = [&] {
      before = round;
      Glib::signal_idle().connect_once([&] {
        in_loop = before;
        loop->quit();
      });
    };
    GThread *giver = g_thread_new(
        "giver",
        [](gpointer work) -> gpointer {
          (*static_cast<std::function<void()> *>(work))();
          return nullptr;
        },
        &give);
    loop->run();
    if (in_loop != round) abort();
    g_thread_join(giver);
  }
  int count = 0;
  auto source = Glib::TimeoutSource::create(1);
  source->connect([&] {
    if (++count == 3) loop->quit();
    return count < 3;
  });
  source->attach();
  loop->run();
}
