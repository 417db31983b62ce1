#include "inventory.hpp"

bool Inventory::sell()
{
    std::lock_guard<std::mutex> guard(mutex);
    if (pieces == 0)
        return false;
    pieces--;
    return true;
}

// The bug: the other function locks.
int Inventory::count() const
{
    return pieces;
}
