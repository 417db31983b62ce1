// Two threads append to one string. With "apart" each has its own.
#include "turns.h"
#include <string>

static std::string strings[2];
static bool apart;

static void work(int thread, int round) {
    std::string &string = strings[apart ? thread : 0];
    string.append("thread ").append(1, static_cast<char>('0' + thread));
    string.insert(0, static_cast<std::size_t>(round % 3), '-');
}

int main(int argc, char **argv) {
    apart = argc > 1 && strcmp(argv[1], "apart") == 0;
    take_turns(argc, argv, work);
    return strings[0].empty();
}
