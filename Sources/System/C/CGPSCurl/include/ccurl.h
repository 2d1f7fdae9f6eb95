// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

/// A client of one HTTP server, whose connections stay open. Only one thread may use it, apart from `ccurl_wake`.
typedef struct ccurl_client ccurl_client;

/// The settings of all requests of a client. A NULL member is not used.
struct ccurl_settings {
    const char *agent;         ///< The name and version of the program.
    const char *user;          ///< The user, with `password`.
    const char *password;
    const char *authorities;   ///< A file with certificate authorities that replace the system's.
    const char *certificate;   ///< A file with the client's certificate.
    const char *key;           ///< A file with its private key.
    const char *const *headers; ///< Header lines; the list ends with NULL.
};

/// The result of a request that has ended.
struct ccurl_answer {
    uintptr_t token;         ///< The request's token.
    long status;             ///< The HTTP status; 0 without an answer.
    int64_t retry_after;     ///< `Retry-After` in seconds; 0 without one, and negative for a date in the past.
    const char *failure;     ///< The reason why the answer is missing or incomplete, or NULL.
};

/// Loads libcurl unless it is loaded.
///
/// Returns NULL on success, otherwise the name of the missing library or function. The
/// corresponding C function is `dlopen`.
const char *ccurl_missing(void);

/// Creates a client; returns NULL if out of memory or without libcurl.
ccurl_client *ccurl_begin(const struct ccurl_settings *settings);

/// Ends all requests, and frees the client.
void ccurl_end(ccurl_client *client);

/// Begins a POST request with a body, which is copied. The request fails if it is not answered
/// within `timeout` seconds. `token` identifies the request in its `ccurl_answer`. Returns 0, or -1
/// if out of memory.
int ccurl_post(ccurl_client *client, const char *url, const void *bytes, size_t count, long timeout, uintptr_t token);

/// Sends and receives as much as possible without waiting. The corresponding C function is
/// `curl_multi_perform`.
void ccurl_perform(ccurl_client *client);

/// Stores the result of the next request that has ended in `answer`; returns 1, or 0 if no request
/// has ended.
int ccurl_next(ccurl_client *client, struct ccurl_answer *answer);

/// Waits until `ccurl_perform` can continue, until `ccurl_wake`, or for at most an hour. The
/// corresponding C function is `curl_multi_poll`.
void ccurl_wait(ccurl_client *client);

/// Ends the current or next `ccurl_wait`. Any thread may call it. The corresponding C function is
/// `curl_multi_wakeup`.
void ccurl_wake(ccurl_client *client);

/// Opens a connection to a server by TLS, and verifies its certificate and its name. `url` is
/// `https://HOST:PORT`; `authorities` is a file with certificate authorities that replace the
/// system's, or NULL. Blocks, for at most 20 seconds.
///
/// Returns the connection, or NULL and the reason in `failure`. The corresponding C option is
/// `CURLOPT_CONNECT_ONLY`.
void *ccurl_connect(const char *url, const char *authorities, const char **failure);

/// Returns the socket of a connection, for waiting.
int ccurl_socket(void *stream);

/// Receives bytes without waiting. Returns their number, 0 at the end of the connection, -1 if there
/// are none yet, or -2 and the reason in `failure`. The corresponding C function is
/// `curl_easy_recv`.
long ccurl_receive(void *stream, void *bytes, size_t limit, const char **failure);

/// Sends bytes without waiting. Returns their number, -1 if there is no room, or -2 and the reason
/// in `failure`. The corresponding C function is `curl_easy_send`.
long ccurl_send(void *stream, const void *bytes, size_t limit, const char **failure);

/// Closes a connection.
void ccurl_close(void *stream);
