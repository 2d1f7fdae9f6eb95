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

static void free_stream(void *closure)
{
    struct cmicrohttpd_stream *stream = closure;
    /* libmicrohttpd closes the socket after this. */
    if (stream->socket >= 0)
        epoll_ctl(stream->server->epoll, EPOLL_CTL_DEL, stream->socket, NULL);
    if (stream->previous)
        stream->previous->next = stream->next;
    else
        stream->server->streams = stream->next;
    if (stream->next)
        stream->next->previous = stream->previous;
    stream->ended(stream->context);
    free(stream);
}

struct cmicrohttpd_stream *cmicrohttpd_stream_reply(struct cmicrohttpd_request *request,
                                                    unsigned send_buffer, unsigned timeout,
                                                    cmicrohttpd_reader reader,
                                                    void (*ended)(void *context), void *context)
{
    struct cmicrohttpd_stream *stream = request->response ? NULL : calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    request->response = mhd.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, read_stream,
                                                          stream, free_stream);
    if (!request->response) {
        free(stream);
        return NULL;
    }
    request->status = 200;
    *stream = (struct cmicrohttpd_stream){
        .server = request->server, .connection = request->connection, .reader = reader,
        .ended = ended, .context = context, .socket = -1, .next = request->server->streams};
    if (stream->next)
        stream->next->previous = stream;
    request->server->streams = stream;
    const union MHD_ConnectionInfo *info =
        mhd.MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (info) {
        int size = (int)send_buffer;
        setsockopt(info->connect_fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
        /* libmicrohttpd does not look at the socket while the connection is suspended. */
        struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = stream};
        if (epoll_ctl(stream->server->epoll, EPOLL_CTL_ADD, info->connect_fd, &event) == 0)
            stream->socket = info->connect_fd;
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

void cmicrohttpd_end_abandoned(struct cmicrohttpd *server)
{
    struct epoll_event events[64];
    int count = epoll_wait(server->epoll, events, 64, 0);
    for (int i = 0; i < count; i++) {
        struct cmicrohttpd_stream *stream = events[i].data.ptr;
        if (!stream)
            continue;
        stream->is_over = 1;
        /* What waits to be sent is not wanted any more. */
        shutdown(stream->socket, SHUT_RDWR);
        cmicrohttpd_resume(stream);
    }
}
