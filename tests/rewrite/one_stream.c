// Two threads compress into one stream. With "apart" each has its own.
#include "turns.h"
#include <zlib.h>

static z_stream streams[2];
static unsigned char in[1 << 12], out[2][1 << 16];
static int apart;

static void work(int thread, int round) {
    z_stream *stream = &streams[apart ? thread : 0];
    (void)round;
    stream->next_in = in;
    stream->avail_in = sizeof in;
    stream->next_out = out[thread];
    stream->avail_out = sizeof out[thread];
    deflate(stream, Z_NO_FLUSH);
}

int main(int argc, char **argv) {
    apart = argc > 1 && strcmp(argv[1], "apart") == 0;
    for (int i = 0; i < (int)sizeof in; i++)
        in[i] = (unsigned char)(i * i >> 3);
    for (int i = 0; i < 2; i++)
        deflateInit(&streams[i], 6);
    take_turns(argc, argv, work);
    for (int i = 0; i < 2; i++)
        deflateEnd(&streams[i]);
    return 0;
}
