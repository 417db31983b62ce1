// C++ around the counting in C.
#include "count.h"

#include <cstring>
#include <iostream>
#include <memory>

int main(int argc, char **argv)
{
    const bool racy = argc > 1 && std::strcmp(argv[1], "racy") == 0;
    const auto sum = std::make_unique<int>(racy ? count_racy() : count_locked());
    std::cout << "sum " << *sum << '\n';
}
