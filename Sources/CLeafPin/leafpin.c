#include "CLeafPin.h"

/* Elsewhere the system's libcurl is not built with OpenSSL. */
#ifdef __linux__

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <string.h>

enum { digest_length = 32 };

static int slot = -1;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_digest(void *parent, void *digest, CRYPTO_EX_DATA *data, int index, long argl,
                        void *argp) {
  (void)parent, (void)data, (void)index, (void)argl, (void)argp;
  OPENSSL_free(digest);
}

static void make_slot(void) { slot = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_digest); }

static int verify(X509_STORE_CTX *store, void *digest) {
  unsigned char found[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  X509 *leaf = X509_STORE_CTX_get0_cert(store);
  int same = leaf && X509_digest(leaf, EVP_sha256(), found, &length) == 1 &&
             length == digest_length && CRYPTO_memcmp(found, digest, digest_length) == 0;
  X509_STORE_CTX_set_error(store, same ? X509_V_OK : X509_V_ERR_APPLICATION_VERIFICATION);
  return same;
}

int leaf_pin_major(void) { return OPENSSL_VERSION_MAJOR; }

int leaf_pin_install(void *ssl_ctx, const unsigned char *digest) {
  if (pthread_once(&once, make_slot) != 0 || slot < 0) return 0;
  /* The context owns the copy: a connection may outlive the request that made it. */
  void *copy = OPENSSL_memdup(digest, digest_length);
  if (!copy) return 0;
  if (!SSL_CTX_set_ex_data(ssl_ctx, slot, copy)) {
    OPENSSL_free(copy);
    return 0;
  }
  SSL_CTX_set_verify(ssl_ctx, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_cert_verify_callback(ssl_ctx, verify, copy);
  return 1;
}

#else

int leaf_pin_major(void) { return 0; }

int leaf_pin_install(void *ssl_ctx, const unsigned char *digest) {
  (void)ssl_ctx, (void)digest;
  return 0;
}

#endif
