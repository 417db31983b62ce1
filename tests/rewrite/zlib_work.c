// Compresses and decompresses in several ways and prints what came out; the
// output with a rewritten libz must be that of the original.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SIZE = 3 << 20 };

static void fill(unsigned char *data, unsigned seed) {
    for (int i = 0; i < SIZE; i++) {
        seed = seed * 1103515245u + 12345u;
        data[i] = i & 512 ? (unsigned char)(seed >> 16) : "a line of text that repeats"[(seed >> 20) % 27];
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    unsigned char *in = malloc(SIZE), *out = malloc(2 * SIZE), *back = malloc(SIZE);
    for (int round = 0; round < rounds; round++) {
        for (int level = 1; level <= 9; level += 4) {
            fill(in, level + round);
            uLongf size = 2 * SIZE, restored = SIZE;
            if (compress2(out, &size, in, SIZE, level) != Z_OK)
                return 1;
            if (uncompress(back, &restored, out, size) != Z_OK || restored != SIZE)
                return 2;
            if (memcmp(in, back, SIZE) != 0)
                return 3;
            printf("level %d: %lu bytes, crc %08lx, adler %08lx\n", level, size,
                   crc32(0, out, size), adler32(1, out, size));
        }
    }
    gzFile file = gzopen(argc > 2 ? argv[2] : "/dev/null", "wb");
    if (!file)
        return 4;
    for (int i = 0; i < 1000; i++)
        gzprintf(file, "%d %s\n", i, "formatted");
    printf("closed: %d\n", gzclose(file));
    unsigned char junk[64] = {0x78, 0x9c, 1, 2, 3};
    uLongf restored = SIZE;
    printf("junk: %d\n", uncompress(back, &restored, junk, sizeof junk));
    return 0;
}
