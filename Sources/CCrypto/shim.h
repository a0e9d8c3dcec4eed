#ifndef CCRYPTO_SHIM_H
#define CCRYPTO_SHIM_H

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#endif
