// Compresses pictures in several ways and decompresses them again.
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>

enum { WIDTH = 317, HEIGHT = 211 };

static unsigned char picture[HEIGHT][WIDTH][3];

static void there_and_back(int quality, int progressive, int method) {
    struct jpeg_error_mgr errors;
    struct jpeg_compress_struct out = {.err = jpeg_std_error(&errors)};
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    jpeg_create_compress(&out);
    jpeg_mem_dest(&out, &bytes, &size);
    out.image_width = WIDTH;
    out.image_height = HEIGHT;
    out.input_components = 3;
    out.in_color_space = JCS_RGB;
    jpeg_set_defaults(&out);
    out.dct_method = (J_DCT_METHOD)method;
    jpeg_set_quality(&out, quality, TRUE);
    if (progressive)
        jpeg_simple_progression(&out);
    jpeg_start_compress(&out, TRUE);
    while (out.next_scanline < HEIGHT) {
        JSAMPROW row = picture[out.next_scanline][0];
        jpeg_write_scanlines(&out, &row, 1);
    }
    jpeg_finish_compress(&out);
    jpeg_destroy_compress(&out);

    struct jpeg_decompress_struct in = {.err = jpeg_std_error(&errors)};
    unsigned char line[WIDTH * 3];
    JSAMPROW row = line;
    unsigned hash = 0;
    jpeg_create_decompress(&in);
    jpeg_mem_src(&in, bytes, size);
    jpeg_read_header(&in, TRUE);
    in.dct_method = (J_DCT_METHOD)method;
    jpeg_start_decompress(&in);
    while (in.output_scanline < in.output_height) {
        jpeg_read_scanlines(&in, &row, 1);
        for (int i = 0; i < WIDTH * 3; i++)
            hash = hash * 31 + line[i];
    }
    jpeg_finish_decompress(&in);
    jpeg_destroy_decompress(&in);
    printf("%d %d %d: %lu bytes, %u\n", quality, progressive, method, size, hash);
    free(bytes);
}

int main(void) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < 3; c++)
                picture[y][x][c] = (unsigned char)(x * (c + 1) + y * 3 + (x * y) % 37);
    for (int quality = 20; quality <= 95; quality += 25)
        for (int progressive = 0; progressive < 2; progressive++)
            for (int method = 0; method < 3; method++)
                there_and_back(quality, progressive, method);
    return 0;
}
