#pragma once

#include <mutex>

// How many pieces of one article there are.
class Inventory {
public:
    explicit Inventory(int pieces) : pieces(pieces) {}

    bool sell();
    int count() const;

private:
    mutable std::mutex mutex;
    int pieces;
};
