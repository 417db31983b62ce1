// A TLS connection over the loopback interface, with a certificate made here.
#include <arpa/inet.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINES = 200 };

static void must(int ok, const char *what) {
    if (!ok) {
        puts(what);
        exit(1);
    }
}

static X509 *self_signed(EVP_PKEY *key) {
    X509 *certificate = X509_new();
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -60);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_NAME *name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"here", -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    must(X509_sign(certificate, key, EVP_sha256()), "no signature");
    return certificate;
}

static void serve(int listener, EVP_PKEY *key, X509 *certificate) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    must(SSL_CTX_use_certificate(context, certificate) && SSL_CTX_use_PrivateKey(context, key),
         "no key");
    SSL *connection = SSL_new(context);
    SSL_set_fd(connection, accept(listener, NULL, NULL));
    must(SSL_accept(connection) == 1, "not accepted");
    char line[64];
    for (int i = 0; i < LINES; i++) {
        must(SSL_read(connection, line, sizeof line) == sizeof line, "cannot read");
        line[0] = 'b';
        must(SSL_write(connection, line, sizeof line) == sizeof line, "cannot answer");
    }
    SSL_free(connection);
    SSL_CTX_free(context);
}

static void ask(struct sockaddr_in *address, X509 *certificate) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    must(!connect(descriptor, (struct sockaddr *)address, sizeof *address), "no connection");
    SSL *connection = SSL_new(context);
    SSL_set_fd(connection, descriptor);
    must(SSL_connect(connection) == 1, "no handshake");
    printf("%s %s\n", SSL_get_version(connection), SSL_get_cipher(connection));
    for (int i = 0; i < LINES; i++) {
        char line[64] = "", answer[64];
        snprintf(line, sizeof line, "a line %d", i);
        must(SSL_write(connection, line, sizeof line) == sizeof line, "cannot write");
        must(SSL_read(connection, answer, sizeof answer) == sizeof answer, "no answer");
        must(answer[0] == 'b' && !strcmp(answer + 1, line + 1), "another answer");
        if (i % 50 == 0)
            puts(answer);
    }
    SSL_free(connection);
    SSL_CTX_free(context);
}

int main(void) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    must(key != NULL, "no key");
    X509 *certificate = self_signed(key);
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    must(!bind(listener, (struct sockaddr *)&address, sizeof address) && !listen(listener, 1) &&
             !getsockname(listener, (struct sockaddr *)&address, &size),
         "no port");
    pid_t server = fork();
    if (!server) {
        serve(listener, key, certificate);
        _exit(0);
    }
    ask(&address, certificate);
    int status;
    must(waitpid(server, &status, 0) == server && status == 0, "the server failed");
    return 0;
}
