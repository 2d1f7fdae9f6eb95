// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

/* Hashes, message authentication codes and signatures of libcrypto (OpenSSL 3). */

/* The number of bytes of the longest result. */
#define CCRYPTO_MAXIMUM 64
/* The number of bytes of the test key's point, and of its longest signature. */
#define CCRYPTO_POINT 65
#define CCRYPTO_SIGNATURE 72

/* Loads libcrypto; returns the name of what is missing, or NULL. The other functions then fail. */
const char *ccrypto_missing(void);

/* Computes the hash `name`, such as SHA256, into `result`. Returns its number of bytes, or 0. The corresponding
   C function is `EVP_Q_digest`. */
size_t ccrypto_digest(const char *name, const unsigned char *bytes, size_t count,
                      unsigned char result[CCRYPTO_MAXIMUM]);

/* Computes a code by the function `name`, such as HMAC, and its hash or cipher `part`. Returns its number of bytes,
   or 0. The corresponding C function is `EVP_Q_mac`. */
size_t ccrypto_mac(const char *name, const char *part, const unsigned char *key, size_t key_count,
                   const unsigned char *bytes, size_t count, unsigned char result[CCRYPTO_MAXIMUM]);

/* Returns whether an ECDSA signature, in DER, of a message is right. `point` is the compressed public key on the
   curve `group`, such as prime256v1; one that is not on the curve is never right. The corresponding C function is
   `EVP_DigestVerify`. */
int ccrypto_verify(const char *group, const char *hash, const unsigned char *point, size_t point_count,
                   const unsigned char *signature, size_t signature_count, const unsigned char *bytes,
                   size_t count);

/* Writes the public key, a point, of a P-256 key for simulations. The key is made at the first use, and exists only
   in this process. Returns the number of bytes, or 0. */
size_t ccrypto_test_point(unsigned char point[CCRYPTO_POINT]);

/* Signs a message with that key and SHA-256. Returns the number of bytes of the signature, in DER, or 0. The
   corresponding C function is `EVP_DigestSign`. */
size_t ccrypto_test_sign(const unsigned char *bytes, size_t count, unsigned char signature[CCRYPTO_SIGNATURE]);
