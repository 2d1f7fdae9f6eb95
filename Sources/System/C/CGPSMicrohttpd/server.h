// SPDX-License-Identifier: MIT
#pragma once
#include "cmicrohttpd.h"
#include "library.h"
#include <stdint.h>

struct cmicrohttpd {
    struct MHD_Daemon *daemon;
    cmicrohttpd_handler handler;
    void *context;
    struct cmicrohttpd_stream *streams;
    struct client *idle; /* clients without a request, the longest idle first */
    struct client *idle_end;
    unsigned request_timeout; /* in milliseconds */
    int epoll; /* watches libmicrohttpd's epoll descriptor, `resumed`, and clients' sockets */
    int resumed; /* readable when a stream has been resumed: libmicrohttpd's descriptor is not */
    int has_resumed;
    int has_connected; /* whether there were connections in the last run */
    int has_closed; /* whether connections were closed in the last run */
    int is_stopping; /* whether all requests are answered with 503 and no stream is suspended */
};

/* A connection. libmicrohttpd's timeout is not used for requests: every received byte restarts it. */
struct client {
    struct MHD_Connection *connection;
    uint64_t deadline; /* of its next request */
    int is_idle;
    int has_ended; /* whether it has closed its side; libmicrohttpd reads the rest first */
    int socket; /* in the server's epoll, or -1 */
    struct cmicrohttpd_stream *stream; /* the stream or the reply that it waits for, or NULL */
    struct client *previous, *next;
};

struct cmicrohttpd_request {
    struct cmicrohttpd *server;
    struct MHD_Connection *connection;
    const char *path;
    int is_http10;
    struct MHD_Response *response;
    unsigned status;
    struct cmicrohttpd_stream *wait; /* a wait that begins with this call of the handler, or NULL */
    struct cmicrohttpd_stream *waited; /* the wait that ends with this call, or NULL */
};

/* A stream, or a request that waits for its reply. */
struct cmicrohttpd_stream {
    struct cmicrohttpd *server;
    struct MHD_Connection *connection;
    cmicrohttpd_reader reader; /* NULL for a request that waits */
    void (*ended)(void *context);
    void *context;
    struct client *client; /* NULL once its connection is closed */
    int is_suspended;
    int is_over;
    struct cmicrohttpd_stream *previous, *next;
};

struct client *cmicrohttpd_client_of(struct MHD_Connection *connection);

/* Watches for a client that closes the connection or its side of it. */
void cmicrohttpd_watch(struct cmicrohttpd *server, struct client *client, int operation);

/* Removes and frees a stream or a wait. */
void cmicrohttpd_free(struct cmicrohttpd_stream *stream);

/* Ends the streams of clients that have closed, and makes libmicrohttpd notice the end of other connections. */
void cmicrohttpd_end_abandoned(struct cmicrohttpd *server);
