// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

/* An HTTP server (libmicrohttpd) that runs in a program's own epoll loop. It supports only GET and HEAD.
   All functions must be called on one thread. */
struct cmicrohttpd;

/* A request, while its handler runs. */
struct cmicrohttpd_request;

/* A response of unknown length, or a request that waits for its reply. */
struct cmicrohttpd_stream;

/* Handles a request: calls cmicrohttpd_reply or cmicrohttpd_stream_reply once, then
   cmicrohttpd_add_header as often as needed, or calls cmicrohttpd_wait. Otherwise the client receives
   a 500. */
typedef void (*cmicrohttpd_handler)(void *context, struct cmicrohttpd_request *request);

/* Loads libmicrohttpd; returns the name of what is missing, or NULL. */
const char *cmicrohttpd_missing(void);

/* Serves a listening socket and takes ownership of it. A client is disconnected if its request has not
   arrived within `request_timeout` milliseconds of connecting or of the previous reply. Returns NULL on
   failure. */
struct cmicrohttpd *cmicrohttpd_start(int listener, unsigned connections, unsigned request_timeout,
                                      cmicrohttpd_handler handler, void *context);

/* Returns a descriptor that is readable when cmicrohttpd_run should be called. */
int cmicrohttpd_epoll(struct cmicrohttpd *server);

/* Returns the milliseconds until cmicrohttpd_run must be called; -1 if there are no connections, so that
   only the descriptor requires a call. */
long cmicrohttpd_timeout(struct cmicrohttpd *server);

/* Handles all pending work without waiting. Returns 0 if there were no connections. If the descriptor is
   still readable then, a client waits that cannot be accepted. */
int cmicrohttpd_run(struct cmicrohttpd *server);

/* Answers received and waiting requests with 503, ends all streams, closes all connections, and frees the server. */
void cmicrohttpd_stop(struct cmicrohttpd *server);

/* The path of the URL, decoded. */
const char *cmicrohttpd_path(const struct cmicrohttpd_request *request);

/* Returns whether the request is of HTTP/1.0. */
int cmicrohttpd_is_http10(const struct cmicrohttpd_request *request);

/* Writes the client's numeric address into a buffer; returns 0 if it has none, as with a Unix socket. */
int cmicrohttpd_client(const struct cmicrohttpd_request *request, char *buffer, size_t room);

/* Returns a header of the request; NULL if absent. */
const char *cmicrohttpd_header(const struct cmicrohttpd_request *request, const char *name);

/* Returns a decoded query argument; "" if it has no value, NULL if it is absent. */
const char *cmicrohttpd_argument(const struct cmicrohttpd_request *request, const char *name);

/* Replies with bytes, which are copied unless they are permanent. */
void cmicrohttpd_reply(struct cmicrohttpd_request *request, unsigned status, const void *bytes,
                       size_t count, int is_permanent);

/* Returned by a reader at the end of a stream, and if the rest cannot be sent: the client then notices
   that data is missing. */
#define CMICROHTTPD_END (-1L)
#define CMICROHTTPD_BROKEN_OFF (-2L)

/* Writes the next bytes of a stream into a buffer; returns their number, 0 if there are none yet, or
   CMICROHTTPD_END or CMICROHTTPD_BROKEN_OFF. After 0 it is called again when the stream is resumed. */
typedef long (*cmicrohttpd_reader)(void *context, char *buffer, size_t room);

/* Replies with a stream. The kernel buffers at most `send_buffer` bytes of it; a client that accepts
   nothing for `timeout` seconds is disconnected, and so is one that closes its side. `ended` is called
   when the stream is over, and is the last use of `context`. If out of memory, returns NULL and calls
   nothing. */
struct cmicrohttpd_stream *cmicrohttpd_stream_reply(struct cmicrohttpd_request *request,
                                                    unsigned send_buffer, unsigned timeout,
                                                    cmicrohttpd_reader reader,
                                                    void (*ended)(void *context), void *context);

/* Delays the reply to a request. The handler is called again with the request after
   cmicrohttpd_resume, or when the client has closed its side; it cannot wait a second time. `ended` is
   called after the second call, or when the connection has been closed before it, and is the last use
   of `context`. If out of memory, returns NULL and calls nothing. */
struct cmicrohttpd_stream *cmicrohttpd_wait(struct cmicrohttpd_request *request,
                                            void (*ended)(void *context), void *context);

/* Returns the context of the wait after which the handler is called again; NULL in the first call. */
void *cmicrohttpd_waited(const struct cmicrohttpd_request *request);

/* Resumes a stream that is waiting: its reader is called again. Also resumes a request that waits. */
void cmicrohttpd_resume(struct cmicrohttpd_stream *stream);

/* Adds a header to the reply. */
void cmicrohttpd_add_header(struct cmicrohttpd_request *request, const char *name,
                            const char *value);
