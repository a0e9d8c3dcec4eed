#ifndef CLEAFPIN_H
#define CLEAFPIN_H

/* OpenSSL checks a server's certificate by a callback with C types of its own, which libcurl hands through:
   the few lines of it that Swift lacks. */

/* The major version of OpenSSL that this was compiled for, which has to be the one that libcurl uses;
   0 where there is none. */
int leaf_pin_major(void);

/* From now on a handshake of this SSL_CTX succeeds if SHA-256 of the server's own certificate (DER) is
   `digest` (32 bytes, copied), and for no other reason: neither issuer, dates nor host name count.
   Returns 1, or 0 if nothing could be set. */
int leaf_pin_install(void *ssl_ctx, const unsigned char *digest);

#endif
