// Two threads compress one after the other. With an argument they use one
// stream and only a flag that nobody can see from outside orders them: a race
// inside libz. Without, each has its own stream.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <zlib.h>

static z_stream streams[2];
static unsigned char in[1 << 14], out[2][1 << 16];
static int shared;
static atomic_int turn;

static void *work(void *argument) {
    int mine = (int)(long)argument;
    z_stream *stream = &streams[shared ? 0 : mine];
    while (atomic_load_explicit(&turn, memory_order_relaxed) != mine)
        ;
    for (int i = 0; i < 4; i++) {
        stream->next_in = in;
        stream->avail_in = sizeof in;
        stream->next_out = out[mine];
        stream->avail_out = sizeof out[mine];
        deflate(stream, Z_NO_FLUSH);
    }
    atomic_store_explicit(&turn, mine + 1, memory_order_relaxed);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    shared = argc > 1;
    for (int i = 0; i < (int)sizeof in; i++)
        in[i] = (unsigned char)(i * i >> 3);
    for (int i = 0; i < 2; i++)
        deflateInit(&streams[i], 6);
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        deflateEnd(&streams[i]);
    puts("done");
    return 0;
}
