// SPDX-License-Identifier: MIT
#include "ccurl.h"

// Without this, curl.h defines macros that would replace the pointers to the functions.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include <cloading.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

// The libcurl functions in use. libcurl is not linked: only a program that sends by HTTP, or receives corrections by
// TLS, needs it.
#define FUNCTIONS(X)                                                                                 \
    X(curl_global_init)                                                                              \
    X(curl_easy_init)                                                                                \
    X(curl_easy_duphandle)                                                                           \
    X(curl_easy_setopt)                                                                              \
    X(curl_easy_getinfo)                                                                             \
    X(curl_easy_strerror)                                                                            \
    X(curl_easy_cleanup)                                                                             \
    X(curl_easy_perform)                                                                             \
    X(curl_easy_recv)                                                                                \
    X(curl_easy_send)                                                                                \
    X(curl_slist_append)                                                                             \
    X(curl_slist_free_all)                                                                           \
    X(curl_multi_init)                                                                               \
    X(curl_multi_add_handle)                                                                         \
    X(curl_multi_remove_handle)                                                                      \
    X(curl_multi_perform)                                                                            \
    X(curl_multi_info_read)                                                                          \
    X(curl_multi_poll)                                                                               \
    X(curl_multi_wakeup)                                                                             \
    X(curl_multi_cleanup)

static struct {
#define DECLARE(name) __typeof__(&name) name;
    FUNCTIONS(DECLARE)
} call;

static const char *missing;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
#define ENTRY(name) CLOADING_FUNCTION(call, name, "libcurl.so.4"),
    static const struct cloading_function functions[] = {FUNCTIONS(ENTRY){0}};
    missing = cloading_load("libcurl.so.4", functions);
    if (!missing && call.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) missing = "a working libcurl.so.4";
}

const char *ccurl_missing(void) {
    pthread_once(&once, load);
    return missing;
}

// A pending request.
struct request {
    CURL *easy;
    uintptr_t token;
    struct request *next;
};

struct ccurl_client {
    CURLM *multi;
    CURL *model; // has the settings that all requests share
    struct curl_slist *headers;
    struct request *requests;
};

static size_t discard(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

static int add_header(ccurl_client *client, const char *line) {
    struct curl_slist *headers = call.curl_slist_append(client->headers, line);
    if (!headers) return -1;
    client->headers = headers;
    return 0;
}

static int set_text(CURL *easy, CURLoption option, const char *text) {
    return !text || call.curl_easy_setopt(easy, option, text) == CURLE_OK ? 0 : -1;
}

// Sets the options that all requests share. A secret is never part of a URL or a message.
static int set_up(ccurl_client *client, const struct ccurl_settings *settings) {
    CURL *easy = client->model;
    // Without this, libcurl would install signal handlers, but the program has its own.
    call.curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    call.curl_easy_setopt(easy, CURLOPT_POST, 1L);
    call.curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
    call.curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    call.curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, 30L);
    if (settings->user) call.curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
    if (set_text(easy, CURLOPT_USERAGENT, settings->agent) || set_text(easy, CURLOPT_USERNAME, settings->user) ||
        set_text(easy, CURLOPT_PASSWORD, settings->password) ||
        set_text(easy, CURLOPT_CAINFO, settings->authorities) ||
        set_text(easy, CURLOPT_SSLCERT, settings->certificate) || set_text(easy, CURLOPT_SSLKEY, settings->key)) {
        return -1;
    }
    // Debian's libcurl also trusts a folder with the system's authorities, which CURLOPT_CAINFO does not replace.
    if (settings->authorities) call.curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    // Disable `Expect: 100-continue`, because a server may never permit the client to send the
    // body.
    if (add_header(client, "Expect:")) return -1;
    for (const char *const *line = settings->headers; line && *line; line++) {
        if (add_header(client, *line)) return -1;
    }
    call.curl_easy_setopt(easy, CURLOPT_HTTPHEADER, client->headers);
    return 0;
}

ccurl_client *ccurl_begin(const struct ccurl_settings *settings) {
    if (ccurl_missing()) return NULL;
    ccurl_client *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    client->multi = call.curl_multi_init();
    client->model = call.curl_easy_init();
    if (!client->multi || !client->model || set_up(client, settings)) {
        ccurl_end(client);
        return NULL;
    }
    return client;
}

static void end_request(ccurl_client *client, struct request **place) {
    struct request *request = *place;
    *place = request->next;
    call.curl_multi_remove_handle(client->multi, request->easy);
    call.curl_easy_cleanup(request->easy);
    free(request);
}

void ccurl_end(ccurl_client *client) {
    while (client->requests) end_request(client, &client->requests);
    if (client->model) call.curl_easy_cleanup(client->model);
    if (client->multi) call.curl_multi_cleanup(client->multi);
    call.curl_slist_free_all(client->headers);
    free(client);
}

int ccurl_post(ccurl_client *client, const char *url, const void *bytes, size_t count, long timeout, uintptr_t token) {
    struct request *request = malloc(sizeof *request);
    CURL *easy = request ? call.curl_easy_duphandle(client->model) : NULL;
    if (!easy || call.curl_easy_setopt(easy, CURLOPT_URL, url) != CURLE_OK ||
        call.curl_easy_setopt(easy, CURLOPT_TIMEOUT, timeout) != CURLE_OK ||
        call.curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count) != CURLE_OK ||
        call.curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes ? bytes : "") != CURLE_OK ||
        call.curl_multi_add_handle(client->multi, easy) != CURLM_OK) {
        if (easy) call.curl_easy_cleanup(easy);
        free(request);
        return -1;
    }
    *request = (struct request){easy, token, client->requests};
    client->requests = request;
    return 0;
}

void ccurl_perform(ccurl_client *client) {
    int running;
    call.curl_multi_perform(client->multi, &running);
}

int ccurl_next(ccurl_client *client, struct ccurl_answer *answer) {
    int left;
    for (CURLMsg *message; (message = call.curl_multi_info_read(client->multi, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        struct request **place = &client->requests;
        while (*place && (*place)->easy != message->easy_handle) place = &(*place)->next;
        if (!*place) continue;
        CURLcode code = message->data.result;
        curl_off_t retry_after = 0;
        *answer = (struct ccurl_answer){.token = (*place)->token};
        call.curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &answer->status);
        call.curl_easy_getinfo(message->easy_handle, CURLINFO_RETRY_AFTER, &retry_after);
        answer->retry_after = retry_after;
        // This text contains no times and names, so the same failure always has the same text.
        if (code != CURLE_OK) answer->failure = call.curl_easy_strerror(code);
        end_request(client, place);
        return 1;
    }
    return 0;
}

void ccurl_wait(ccurl_client *client) {
    int ready;
    if (call.curl_multi_poll(client->multi, NULL, 0, 3600000, &ready) == CURLM_OK) return;
    // libcurl is out of memory: a pause keeps the thread from using all of a processor.
    poll(NULL, 0, 1000);
}

void ccurl_wake(ccurl_client *client) {
    call.curl_multi_wakeup(client->multi);
}

void *ccurl_connect(const char *url, const char *authorities, const char **failure) {
    *failure = ccurl_missing();
    if (*failure) return NULL;
    CURL *easy = call.curl_easy_init();
    *failure = "out of memory";
    if (!easy) return NULL;
    call.curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    call.curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
    call.curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    call.curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, 20L);
    // The caller speaks its own protocol, so the server must not choose another one.
    call.curl_easy_setopt(easy, CURLOPT_SSL_ENABLE_ALPN, 0L);
    if (!set_text(easy, CURLOPT_URL, url) && !set_text(easy, CURLOPT_CAINFO, authorities)) {
        if (authorities) call.curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
        CURLcode code = call.curl_easy_perform(easy);
        if (code == CURLE_OK) return easy;
        *failure = call.curl_easy_strerror(code);
    }
    call.curl_easy_cleanup(easy);
    return NULL;
}

int ccurl_socket(void *stream) {
    curl_socket_t number = CURL_SOCKET_BAD;
    call.curl_easy_getinfo(stream, CURLINFO_ACTIVESOCKET, &number);
    return number;
}

// Returns the number of bytes, or a negative result.
static long result(CURLcode code, size_t count, const char **failure) {
    if (code == CURLE_AGAIN) return -1;
    if (code == CURLE_OK) return (long)count;
    *failure = call.curl_easy_strerror(code);
    return -2;
}

long ccurl_receive(void *stream, void *bytes, size_t limit, const char **failure) {
    size_t count = 0;
    CURLcode code = call.curl_easy_recv(stream, bytes, limit, &count);
    return result(code, count, failure);
}

long ccurl_send(void *stream, const void *bytes, size_t limit, const char **failure) {
    size_t count = 0;
    CURLcode code = call.curl_easy_send(stream, bytes, limit, &count);
    return result(code, count, failure);
}

void ccurl_close(void *stream) {
    call.curl_easy_cleanup(stream);
}
