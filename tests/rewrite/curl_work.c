// Fetches files, takes addresses apart and escapes text. The few functions used
// are declared here, so that the library alone is needed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *curl_easy_init(void);
int curl_easy_setopt(void *handle, int option, ...);
int curl_easy_perform(void *handle);
void curl_easy_cleanup(void *handle);
const char *curl_easy_strerror(int code);
char *curl_easy_escape(void *handle, const char *text, int size);
void curl_free(void *memory);
void *curl_url(void);
int curl_url_set(void *address, int part, const char *text, unsigned flags);
int curl_url_get(void *address, int part, char **text, unsigned flags);
void curl_url_cleanup(void *address);

enum { WRITEDATA = 10001, URL = 10002, RANGE = 10007, WRITEFUNCTION = 20011 };
enum { WHOLE, SCHEME, USER, PASSWORD, OPTIONS, HOST, PORT, PATH, QUERY };

static size_t add(char *bytes, size_t unit, size_t count, void *hash) {
    for (size_t i = 0; i < unit * count; i++)
        *(unsigned *)hash = *(unsigned *)hash * 31 + (unsigned char)bytes[i];
    return unit * count;
}

static void fetch(const char *address, const char *range) {
    unsigned hash = 0;
    void *handle = curl_easy_init();
    curl_easy_setopt(handle, URL, address);
    curl_easy_setopt(handle, WRITEFUNCTION, add);
    curl_easy_setopt(handle, WRITEDATA, &hash);
    if (range)
        curl_easy_setopt(handle, RANGE, range);
    int code = curl_easy_perform(handle);
    printf("%s, %u\n", curl_easy_strerror(code), hash);
    char *escaped = curl_easy_escape(handle, "a b/c?d=\xc3\xa4&", 0);
    puts(escaped);
    curl_free(escaped);
    curl_easy_cleanup(handle);
}

int main(void) {
    char path[] = "/tmp/fetchedXXXXXX", address[64];
    FILE *file = fdopen(mkstemp(path), "w");
    for (int i = 0; i < 100000; i++)
        fprintf(file, "line %d\n", i);
    fclose(file);
    snprintf(address, sizeof address, "file://%s", path);
    fetch(address, NULL);
    fetch(address, "1000-50000");
    fetch("file:///nowhere/at/all", NULL);
    fetch("unknown://somewhere", NULL);
    unlink(path);
    void *url = curl_url();
    printf("%d\n", curl_url_set(url, WHOLE, "https://me:secret@example.org:8443/a/../b?c=d#e", 0));
    curl_url_set(url, WHOLE, "../x y?z", 1 << 7);
    for (int part = WHOLE; part <= QUERY; part++) {
        char *text = NULL;
        if (curl_url_get(url, part, &text, 0) == 0)
            printf("%d: %s\n", part, text);
        curl_free(text);
    }
    curl_url_cleanup(url);
    return 0;
}
