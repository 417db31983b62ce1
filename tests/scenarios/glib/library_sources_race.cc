// expect: data race
// flags: {pkg:glibmm-2.4}
// needs: glibmm.h
// names: value
#include <glibmm.h>

#include "scenario.h"

// Changed after the loop was asked to look at it.
int value;
Glib::RefPtr<Glib::MainLoop> loop;

static gpointer giver(gpointer) {
  Glib::signal_idle().connect_once([] {
    CONSUME(value); // here
    take_step();
    loop->quit();
  });
  wait_for_step(1);
  value = 1; // here
  return nullptr;
}

int main() {
  Glib::init();
  loop = Glib::MainLoop::create();
  GThread *thread = g_thread_new("giver", giver, nullptr);
  loop->run();
  g_thread_join(thread);
}
