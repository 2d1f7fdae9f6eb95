// SPDX-License-Identifier: MIT
#include "cmicrohttpd.h"
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* Seconds in which a request has to come in, and for which an idle connection is kept. */
#define REQUEST_TIMEOUT 10u
/* Of a connection's request, headers and what waits to be written. */
#define CONNECTION_MEMORY 8192

struct cmicrohttpd {
    struct MHD_Daemon *daemon;
    cmicrohttpd_handler handler;
    void *context;
    struct cmicrohttpd_stream *streams;
    int epoll; /* of libmicrohttpd's own epoll descriptor, and of `resumed` */
    int resumed; /* readable when a stream has been resumed, of which libmicrohttpd tells nothing */
    int has_resumed;
};

struct cmicrohttpd_request {
    struct cmicrohttpd *server;
    struct MHD_Connection *connection;
    const char *path;
    struct MHD_Response *response;
    unsigned status;
};

struct cmicrohttpd_stream {
    struct cmicrohttpd *server;
    struct MHD_Connection *connection;
    cmicrohttpd_reader reader;
    void (*ended)(void *context);
    void *context;
    int is_suspended;
    int is_over;
    struct cmicrohttpd_stream *previous, *next;
};

/* Requests */

static enum MHD_Result handle(void *closure, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    struct cmicrohttpd *server = closure;
    struct cmicrohttpd_request request = {server, connection, path, NULL, 0};
    (void)version, (void)upload, (void)upload_size;
    /* A reply to the first call, before the body would come, would close the connection. */
    if (!*state) {
        *state = server;
        return MHD_YES;
    }
    if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
        server->handler(server->context, &request);
    else {
        cmicrohttpd_reply(&request, 405, "GET only\n", 9, 1);
        cmicrohttpd_add_header(&request, "Content-Type", "text/plain");
        cmicrohttpd_add_header(&request, "Allow", "GET, HEAD");
    }
    if (!request.response)
        cmicrohttpd_reply(&request, 500, "", 0, 1);
    if (!request.response)
        return MHD_NO;
    enum MHD_Result result = MHD_queue_response(connection, request.status, request.response);
    MHD_destroy_response(request.response);
    return result;
}

const char *cmicrohttpd_path(const struct cmicrohttpd_request *request)
{
    return request->path;
}

const char *cmicrohttpd_header(const struct cmicrohttpd_request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

const char *cmicrohttpd_argument(const struct cmicrohttpd_request *request, const char *name)
{
    const char *value = NULL;
    size_t length = 0;
    if (MHD_lookup_connection_value_n(request->connection, MHD_GET_ARGUMENT_KIND, name,
                                      strlen(name), &value, &length) != MHD_YES)
        return NULL;
    return value ? value : "";
}

void cmicrohttpd_reply(struct cmicrohttpd_request *request, unsigned status, const void *bytes,
                       size_t count, int is_permanent)
{
    if (request->response)
        return;
    request->status = status;
    request->response = MHD_create_response_from_buffer(
        count, (void *)bytes, is_permanent ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_COPY);
}

void cmicrohttpd_add_header(struct cmicrohttpd_request *request, const char *name,
                            const char *value)
{
    if (request->response)
        MHD_add_response_header(request->response, name, value);
}

/* Streams */

static ssize_t read_stream(void *closure, uint64_t position, char *buffer, size_t room)
{
    struct cmicrohttpd_stream *stream = closure;
    (void)position;
    if (stream->is_over)
        return MHD_CONTENT_READER_END_OF_STREAM;
    long count = stream->reader(stream->context, buffer, room);
    if (count < 0)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (count == 0) {
        stream->is_suspended = 1;
        MHD_suspend_connection(stream->connection);
    }
    return count;
}

static void free_stream(void *closure)
{
    struct cmicrohttpd_stream *stream = closure;
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
    request->response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, read_stream,
                                                          stream, free_stream);
    if (!request->response) {
        free(stream);
        return NULL;
    }
    request->status = 200;
    *stream = (struct cmicrohttpd_stream){
        .server = request->server, .connection = request->connection, .reader = reader,
        .ended = ended, .context = context, .next = request->server->streams};
    if (stream->next)
        stream->next->previous = stream;
    request->server->streams = stream;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    int size = (int)send_buffer;
    if (info)
        setsockopt(info->connect_fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    MHD_set_connection_option(request->connection, MHD_CONNECTION_OPTION_TIMEOUT, timeout);
    return stream;
}

void cmicrohttpd_resume(struct cmicrohttpd_stream *stream)
{
    if (!stream->is_suspended)
        return;
    stream->is_suspended = 0;
    MHD_resume_connection(stream->connection);
    if (!stream->server->has_resumed) {
        stream->server->has_resumed = 1;
        eventfd_write(stream->server->resumed, 1);
    }
}

/* The server */

/* Its complaints about clients are of no use. */
static void be_silent(void *closure, const char *format, va_list arguments)
{
    (void)closure, (void)format, (void)arguments;
}

static int watch(int epoll, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

struct cmicrohttpd *cmicrohttpd_start(int listener, unsigned connections,
                                      cmicrohttpd_handler handler, void *context)
{
    struct cmicrohttpd *server = calloc(1, sizeof *server);
    if (!server)
        return NULL;
    server->handler = handler;
    server->context = context;
    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    server->resumed = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, handle, server,
        MHD_OPTION_EXTERNAL_LOGGER, be_silent, NULL,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, REQUEST_TIMEOUT,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        server->daemon ? MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD) : NULL;
    if (info && watch(server->epoll, info->epoll_fd) == 0
        && watch(server->epoll, server->resumed) == 0)
        return server;
    cmicrohttpd_stop(server);
    return NULL;
}

int cmicrohttpd_epoll(struct cmicrohttpd *server)
{
    return server->epoll;
}

long cmicrohttpd_timeout(struct cmicrohttpd *server)
{
    MHD_UNSIGNED_LONG_LONG timeout;
    if (MHD_get_timeout(server->daemon, &timeout) != MHD_YES)
        return -1;
    return timeout > 1000000 ? 1000000 : (long)timeout;
}

void cmicrohttpd_run(struct cmicrohttpd *server)
{
    eventfd_t count;
    if (server->has_resumed) {
        server->has_resumed = 0;
        eventfd_read(server->resumed, &count);
    }
    MHD_run(server->daemon);
}

void cmicrohttpd_stop(struct cmicrohttpd *server)
{
    /* libmicrohttpd must not be stopped while a connection is suspended. */
    for (struct cmicrohttpd_stream *stream = server->streams; stream; stream = stream->next) {
        stream->is_over = 1;
        cmicrohttpd_resume(stream);
    }
    if (server->daemon) {
        MHD_run(server->daemon);
        MHD_stop_daemon(server->daemon);
    }
    close(server->epoll);
    close(server->resumed);
    free(server);
}

unsigned cmicrohttpd_connections(struct cmicrohttpd *server)
{
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return info ? info->num_connections : 0;
}
