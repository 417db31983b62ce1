// A program that replaces two operators sees the other forms end in them.
#include "check.h"
#include <new>

alignas(16) static char pool[1 << 20];
static std::size_t used;
static int news, deletes;

void *operator new(std::size_t size)
{
    news++;
    void *block = pool + used;
    used += (size + 15) & ~std::size_t(15);
    return block;
}

void operator delete(void *block) noexcept
{
    deletes++;
    CHECK((char *)block >= pool && (char *)block < pool + sizeof pool);
}

struct Item {
    ~Item() {}
    int value;
};

int main()
{
    delete new int;
    delete[] new int[4];
    delete[] new Item[3];
    ::operator delete(new (std::nothrow) int, sizeof(int));
    CHECK(news == 4 && deletes == 4);
    puts("ok");
}
