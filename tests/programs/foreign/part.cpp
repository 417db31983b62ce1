// The other half, as C++: virtual calls, exceptions, containers, atomics.
#include "part.h"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

struct Shape {
  virtual ~Shape() = default;
  virtual int value() const { return 0; }
};
struct Number final : Shape {
  explicit Number(int number) : number(number) {}
  int value() const override {
    if (number < 0) throw std::runtime_error("negative");
    return number;
  }
  int number;
};

std::atomic<long> calls{0};
std::shared_ptr<Shape> kept = std::make_shared<Number>(7);

int careful(const Shape &shape) {
  try {
    return shape.value();
  } catch (const std::runtime_error &) {
    return 0;
  }
}

}  // namespace

void touch(int value) {
  shared = value; // race
}

void fill(record *record, int number) {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 4; ++i) shapes.push_back(std::make_unique<Number>(i - 2));
  std::shared_ptr<Shape> copy = kept;
  int sum = copy->value() - 7;
  for (const auto &shape : shapes) sum += careful(*shape);
  if (sum != 1) std::abort();
  calls.fetch_add(1, std::memory_order_relaxed);
  record->tag = static_cast<char>(number);
  record->number = number;
  record->wide = number;
  record->half = static_cast<short>(number);
  record->real = number;
}

void check_sum(const record *record, int number) {
  if (record->number + record->wide + record->half + record->real != 4.0 * number) std::abort();
}
