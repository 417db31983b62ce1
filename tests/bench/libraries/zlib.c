// Compresses and decompresses.
#include "two_threads.h"
#include <string.h>
#include <zlib.h>

enum { SIZE = 1 << 20 };

static void *work(void *unused) {
    unsigned char *text = malloc(SIZE), *again = malloc(SIZE);
    uLong room = compressBound(SIZE);
    unsigned char *packed = malloc(room);
    unsigned state = 1;
    for (int i = 0; i < SIZE; i++) {
        state = state * 1103515245u + 12345u;
        text[i] = i > 256 && (state >> 16) % 8 ? text[i - (state >> 20) % 256] : state >> 24;
    }
    for (int i = 0; i < amount; i++) {
        uLong size = room, back = SIZE;
        if (compress2(packed, &size, text, SIZE, 6) != Z_OK ||
            uncompress(again, &back, packed, size) != Z_OK || memcmp(text, again, SIZE))
            fail("wrong bytes");
    }
    free(text);
    free(again);
    free(packed);
    return unused;
}

int main(int argc, char **argv) { return two_threads(argc, argv, work); }
