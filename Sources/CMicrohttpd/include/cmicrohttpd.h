// SPDX-License-Identifier: MIT
#pragma once

/* An HTTP server inside somebody else's epoll loop, by libmicrohttpd. GET and HEAD only. */
struct cmicrohttpd;

/* What is answered; `data` is copied. */
struct cmicrohttpd_answer {
    unsigned status;
    const char *content_type;
    const void *data;
    unsigned long count;
    void *keep; /* for the caller */
};

/* Answers a request; `host` and `accept` are "" where the client sent none. */
typedef void (*cmicrohttpd_handler)(void *context, const char *path, const char *host,
                                    const char *accept, struct cmicrohttpd_answer *answer);

/* Serves a listening socket, which it takes over. NULL where that fails. */
struct cmicrohttpd *cmicrohttpd_start(int listener, unsigned connections,
                                      cmicrohttpd_handler handler,
                                      void (*release)(void *context,
                                                      struct cmicrohttpd_answer *answer),
                                      void *context);

/* Readable when there is something to do. */
int cmicrohttpd_epoll(struct cmicrohttpd *server);

/* Milliseconds until there is something to do in any case; -1 for never. */
long cmicrohttpd_timeout(struct cmicrohttpd *server);

/* Does what there is to do, without waiting. */
void cmicrohttpd_run(struct cmicrohttpd *server);

void cmicrohttpd_stop(struct cmicrohttpd *server);
