// Digests, random numbers, keys and connections over one shared context.
#include "many.h"
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <string.h>

static SSL_CTX *context;

static void digest(const char *name, const void *data, size_t size) {
    unsigned char out[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    const EVP_MD *kind = EVP_get_digestbyname(name);
    if (!kind || !EVP_Digest(data, size, out, &length, kind, NULL))
        abort();
}

static void encrypt(const unsigned char *key, const unsigned char *text, int size) {
    unsigned char out[512];
    int length = 0;
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    if (!EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, key, key) ||
        !EVP_EncryptUpdate(cipher, out, &length, text, size))
        abort();
    EVP_CIPHER_CTX_free(cipher);
}

static void *work(void *unused) {
    unsigned char bytes[256];
    for (int i = 0; i < 30; i++) {
        if (RAND_bytes(bytes, sizeof bytes) != 1)
            abort();
        digest("SHA256", bytes, sizeof bytes);
        digest("SHA512", bytes, sizeof bytes);
        encrypt(bytes, bytes, sizeof bytes);
        SSL *connection = SSL_new(context);
        if (!connection || !SSL_set_tlsext_host_name(connection, "example.org"))
            abort();
        SSL_free(connection);
        // An error goes to a queue of the thread's own.
        if (EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, bytes, 3) || !ERR_get_error())
            abort();
        ERR_clear_error();
    }
    return unused;
}

int main(void) {
    context = SSL_CTX_new(TLS_method());
    if (!context)
        return 1;
    many(work);
    SSL_CTX_free(context);
    return 0;
}
