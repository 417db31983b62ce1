// expect: none
#include <functional>
#include <string>
#include <thread>

#include "scenario.h"

static void append(std::string &text, const std::string &more) { text += more; }

int main() {
  std::string text = "a string that is too long to be kept inside the object";
  std::thread writer(append, std::ref(text), std::string(100, 'x'));
  writer.join();
  text += "y";
  std::thread([&text] { text += "z"; }).join();
  return text.size() < 100;
}
