// SPDX-License-Identifier: MIT
#include "server.h"
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

static ssize_t read_stream(void *closure, uint64_t position, char *buffer, size_t room)
{
    struct cmicrohttpd_stream *stream = closure;
    (void)position;
    if (stream->is_over || stream->server->is_stopping)
        return MHD_CONTENT_READER_END_OF_STREAM;
    long count = stream->reader(stream->context, buffer, room);
    if (count < 0)
        return count == CMICROHTTPD_BROKEN_OFF ? MHD_CONTENT_READER_END_WITH_ERROR
                                               : MHD_CONTENT_READER_END_OF_STREAM;
    if (count == 0) {
        stream->is_suspended = 1;
        mhd.MHD_suspend_connection(stream->connection);
    }
    return count;
}

void cmicrohttpd_free(struct cmicrohttpd_stream *stream)
{
    if (stream->client && stream->client->stream == stream)
        stream->client->stream = NULL;
    if (stream->previous)
        stream->previous->next = stream->next;
    else
        stream->server->streams = stream->next;
    if (stream->next)
        stream->next->previous = stream->previous;
    stream->ended(stream->context);
    free(stream);
}

static void free_stream(void *closure)
{
    cmicrohttpd_free(closure);
}

/* Adds a stream or a wait to the server, and watches its client. */
static void begin(struct cmicrohttpd_stream *stream, struct cmicrohttpd_request *request)
{
    stream->server = request->server;
    stream->connection = request->connection;
    stream->next = request->server->streams;
    if (stream->next)
        stream->next->previous = stream;
    request->server->streams = stream;
    stream->client = cmicrohttpd_client_of(request->connection);
    if (stream->client) {
        stream->client->stream = stream;
        /* The client may have closed its side before. */
        cmicrohttpd_watch(request->server, stream->client, EPOLL_CTL_MOD);
    }
}

struct cmicrohttpd_stream *cmicrohttpd_wait(struct cmicrohttpd_request *request,
                                            void (*ended)(void *context), void *context)
{
    int is_possible = !request->response && !request->wait && !request->waited;
    struct cmicrohttpd_stream *wait = is_possible ? calloc(1, sizeof *wait) : NULL;
    if (!wait)
        return NULL;
    wait->ended = ended;
    wait->context = context;
    begin(wait, request);
    request->wait = wait;
    return wait;
}

void *cmicrohttpd_waited(const struct cmicrohttpd_request *request)
{
    return request->waited ? request->waited->context : NULL;
}

struct cmicrohttpd_stream *cmicrohttpd_stream_reply(struct cmicrohttpd_request *request,
                                                    unsigned send_buffer, unsigned timeout,
                                                    cmicrohttpd_reader reader,
                                                    void (*ended)(void *context), void *context)
{
    int is_possible = !request->response && !request->wait;
    struct cmicrohttpd_stream *stream = is_possible ? calloc(1, sizeof *stream) : NULL;
    if (!stream)
        return NULL;
    request->response = mhd.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, read_stream,
                                                          stream, free_stream);
    if (!request->response) {
        free(stream);
        return NULL;
    }
    request->status = 200;
    stream->reader = reader;
    stream->ended = ended;
    stream->context = context;
    begin(stream, request);
    if (stream->client) {
        int size = (int)send_buffer;
        setsockopt(stream->client->socket, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    }
    mhd.MHD_set_connection_option(request->connection, MHD_CONNECTION_OPTION_TIMEOUT, timeout);
    return stream;
}

void cmicrohttpd_resume(struct cmicrohttpd_stream *stream)
{
    if (!stream->is_suspended)
        return;
    stream->is_suspended = 0;
    mhd.MHD_resume_connection(stream->connection);
    if (!stream->server->has_resumed) {
        stream->server->has_resumed = 1;
        eventfd_write(stream->server->resumed, 1);
    }
}

void cmicrohttpd_watch(struct cmicrohttpd *server, struct client *client, int operation)
{
    /* libmicrohttpd does not watch the socket of a suspended connection either. */
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = client};
    if (client->socket >= 0)
        epoll_ctl(server->epoll, operation, client->socket, &event);
}

void cmicrohttpd_end_abandoned(struct cmicrohttpd *server)
{
    struct epoll_event events[64];
    int count = epoll_wait(server->epoll, events, 64, 0);
    for (int i = 0; i < count; i++) {
        struct client *client = events[i].data.ptr;
        if (client && client->stream) {
            client->stream->is_over = 1;
            /* Discards pending output. */
            shutdown(client->socket, SHUT_RDWR);
            cmicrohttpd_resume(client->stream);
        } else if (client && !client->has_ended) {
            client->has_ended = 1;
            cmicrohttpd_watch(server, client, EPOLL_CTL_MOD);
        } else if (client) {
            /* The end arrived with the last bytes; libmicrohttpd only notices it if it is woken. */
            shutdown(client->socket, SHUT_RD);
        }
    }
}
