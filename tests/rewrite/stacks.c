// Functions that are called on any stack, and to any depth.
static long shared;

long deeper(long *cells, long depth) {
    cells[depth & 63] += depth;
    long below = depth ? deeper(cells, depth - 1) : 0;
    return below + cells[depth & 63];
}

long bump_shared(long by) { return shared += by; }

long bump_own(long *cell) {
    long sum = 0;
    for (int i = 0; i < 8; i++)
        sum += deeper(cell, i);
    return sum;
}
