// The first thread ends with the left way, the second begins with the right.
#include "turns.h"

long by_left(int leave);
long by_right(int leave);
void reach(long (*way)(int leave), int leave);

static void work(int thread, int round) {
    static pthread_mutex_t own[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
    // What comes after is recorded anew.
    pthread_mutex_lock(&own[thread]);
    pthread_mutex_unlock(&own[thread]);
    reach(round % 2 ? by_left : by_right, round % 3 == 0);
}

int main(int argc, char **argv) {
    take_turns(argc, argv, work);
    return 0;
}
