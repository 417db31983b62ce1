#include "inventory.hpp"

#include <cstring>
#include <thread>

// Both tests pass without racert.
int main(int argc, char **argv)
{
    Inventory inventory(1000);
    const bool counts = argc > 1 && std::strcmp(argv[1], "count") == 0;
    const auto sell = [&inventory] {
        for (int i = 0; i < 400; i++)
            inventory.sell();
    };
    int seen = 1000;
    {
        std::thread first(sell), second(sell);
        if (counts)
            seen = inventory.count();
        first.join();
        second.join();
    }
    return inventory.count() == 200 && seen >= 200 && seen <= 1000 ? 0 : 1;
}
