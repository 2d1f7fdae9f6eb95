// SPDX-License-Identifier: MIT
#include "ccrypto.h"
#include <cloading.h>
#include <pthread.h>

#define LIBRARY "libcrypto.so.3"
#define PUBLIC_KEY 0x86 /* EVP_PKEY_PUBLIC_KEY */

/* OpenSSL's declarations, as <openssl/evp.h> has them: building does not need its headers. */
typedef struct {
    const char *key;
    unsigned int data_type;
    void *data;
    size_t data_size, return_size;
} parameter;
typedef struct key key;
typedef struct key_context key_context;
typedef struct digest_context digest_context;

static struct {
    int (*EVP_Q_digest)(void *, const char *, const char *, const void *, size_t, unsigned char *, size_t *);
    unsigned char *(*EVP_Q_mac)(void *, const char *, const char *, const char *, const parameter *, const void *,
                                size_t, const unsigned char *, size_t, unsigned char *, size_t, size_t *);
    key_context *(*EVP_PKEY_CTX_new_from_name)(void *, const char *, const char *);
    void (*EVP_PKEY_CTX_free)(key_context *);
    int (*EVP_PKEY_fromdata_init)(key_context *);
    int (*EVP_PKEY_fromdata)(key_context *, key **, int, parameter *);
    void (*EVP_PKEY_free)(key *);
    parameter (*OSSL_PARAM_construct_utf8_string)(const char *, char *, size_t);
    parameter (*OSSL_PARAM_construct_octet_string)(const char *, void *, size_t);
    parameter (*OSSL_PARAM_construct_end)(void);
    digest_context *(*EVP_MD_CTX_new)(void);
    void (*EVP_MD_CTX_free)(digest_context *);
    int (*EVP_DigestVerifyInit_ex)(digest_context *, key_context **, const char *, void *, const char *, key *,
                                   const parameter *);
    int (*EVP_DigestVerify)(digest_context *, const unsigned char *, size_t, const unsigned char *, size_t);
    key *(*EVP_PKEY_Q_keygen)(void *, const char *, const char *, ...);
    int (*EVP_PKEY_get_octet_string_param)(const key *, const char *, unsigned char *, size_t, size_t *);
    int (*EVP_DigestSignInit_ex)(digest_context *, key_context **, const char *, void *, const char *, key *,
                                 const parameter *);
    int (*EVP_DigestSign)(digest_context *, unsigned char *, size_t *, const unsigned char *, size_t);
} call;

static const char *missing;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
#define ENTRY(name) CLOADING_FUNCTION(call, name, LIBRARY)
    static const struct cloading_function functions[] = {
        ENTRY(EVP_Q_digest), ENTRY(EVP_Q_mac), ENTRY(EVP_PKEY_CTX_new_from_name), ENTRY(EVP_PKEY_CTX_free),
        ENTRY(EVP_PKEY_fromdata_init), ENTRY(EVP_PKEY_fromdata), ENTRY(EVP_PKEY_free),
        ENTRY(OSSL_PARAM_construct_utf8_string), ENTRY(OSSL_PARAM_construct_octet_string),
        ENTRY(OSSL_PARAM_construct_end), ENTRY(EVP_MD_CTX_new), ENTRY(EVP_MD_CTX_free),
        ENTRY(EVP_DigestVerifyInit_ex), ENTRY(EVP_DigestVerify), ENTRY(EVP_PKEY_Q_keygen),
        ENTRY(EVP_PKEY_get_octet_string_param), ENTRY(EVP_DigestSignInit_ex), ENTRY(EVP_DigestSign), {0}};

    missing = cloading_load(LIBRARY, functions);
}

const char *ccrypto_missing(void)
{
    pthread_once(&once, load);
    return missing;
}

size_t ccrypto_digest(const char *name, const unsigned char *bytes, size_t count,
                      unsigned char result[CCRYPTO_MAXIMUM])
{
    size_t size = 0;

    if (ccrypto_missing() || !call.EVP_Q_digest(NULL, name, NULL, bytes, count, result, &size)) return 0;
    return size;
}

size_t ccrypto_mac(const char *name, const char *part, const unsigned char *key, size_t key_count,
                   const unsigned char *bytes, size_t count, unsigned char result[CCRYPTO_MAXIMUM])
{
    size_t size = 0;

    if (ccrypto_missing() || !call.EVP_Q_mac(NULL, name, NULL, part, NULL, key, key_count, bytes, count, result,
                                             CCRYPTO_MAXIMUM, &size))
        return 0;
    return size;
}

static key *public_key(const char *group, const unsigned char *point, size_t count)
{
    /* OpenSSL takes pointers to what it does not change. */
    parameter parameters[] = {call.OSSL_PARAM_construct_utf8_string("group", (char *)group, 0),
                              call.OSSL_PARAM_construct_octet_string("pub", (void *)point, count),
                              call.OSSL_PARAM_construct_end()};
    key_context *context = call.EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    key *key = NULL;

    if (!context) return NULL;
    if (call.EVP_PKEY_fromdata_init(context) != 1 ||
        call.EVP_PKEY_fromdata(context, &key, PUBLIC_KEY, parameters) != 1)
        key = NULL;
    call.EVP_PKEY_CTX_free(context);
    return key;
}

int ccrypto_verify(const char *group, const char *hash, const unsigned char *point, size_t point_count,
                   const unsigned char *signature, size_t signature_count, const unsigned char *bytes, size_t count)
{
    if (ccrypto_missing()) return 0;
    key *key = public_key(group, point, point_count);
    digest_context *context = key ? call.EVP_MD_CTX_new() : NULL;
    int is_right = context && call.EVP_DigestVerifyInit_ex(context, NULL, hash, NULL, NULL, key, NULL) == 1 &&
                   call.EVP_DigestVerify(context, signature, signature_count, bytes, count) == 1;

    call.EVP_MD_CTX_free(context);
    call.EVP_PKEY_free(key);
    return is_right;
}

static key *test_key;
static pthread_once_t test_key_once = PTHREAD_ONCE_INIT;

static void make_test_key(void)
{
    if (!ccrypto_missing()) test_key = call.EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

size_t ccrypto_test_point(unsigned char point[CCRYPTO_POINT])
{
    size_t size = 0;

    pthread_once(&test_key_once, make_test_key);
    if (!test_key || call.EVP_PKEY_get_octet_string_param(test_key, "pub", point, CCRYPTO_POINT, &size) != 1) return 0;
    return size;
}

size_t ccrypto_test_sign(const unsigned char *bytes, size_t count, unsigned char signature[CCRYPTO_SIGNATURE])
{
    size_t size = CCRYPTO_SIGNATURE;

    pthread_once(&test_key_once, make_test_key);
    digest_context *context = test_key ? call.EVP_MD_CTX_new() : NULL;
    int is_signed = context && call.EVP_DigestSignInit_ex(context, NULL, "SHA256", NULL, NULL, test_key, NULL) == 1 &&
                    call.EVP_DigestSign(context, signature, &size, bytes, count) == 1;

    if (context) call.EVP_MD_CTX_free(context);
    return is_signed ? size : 0;
}
