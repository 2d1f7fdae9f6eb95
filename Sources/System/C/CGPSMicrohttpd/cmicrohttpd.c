// SPDX-License-Identifier: MIT
#include "cmicrohttpd.h"
#include "server.h"
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Seconds after which a client that neither sends nor accepts anything is disconnected. */
#define CONNECTION_TIMEOUT 10u
/* The maximum time in milliseconds between two runs while there are connections. */
#define MAXIMUM_WAIT 1000
/* The memory in bytes of a connection's request, headers and pending output. */
#define CONNECTION_MEMORY 8192

/* Clients */

static uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void set_idle(struct cmicrohttpd *server, struct client *client, int is_idle)
{
    if (!client || client->is_idle == is_idle)
        return;
    client->is_idle = is_idle;
    if (is_idle) {
        client->deadline = milliseconds() + server->request_timeout;
        client->previous = server->idle_end;
        client->next = NULL;
        *(client->previous ? &client->previous->next : &server->idle) = client;
        server->idle_end = client;
    } else {
        *(client->previous ? &client->previous->next : &server->idle) = client->next;
        *(client->next ? &client->next->previous : &server->idle_end) = client->previous;
    }
}

struct client *cmicrohttpd_client_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static void connection_changed(void *closure, struct MHD_Connection *connection, void **context,
                               enum MHD_ConnectionNotificationCode code)
{
    struct cmicrohttpd *server = closure;
    struct client *client = *context;
    server->has_connected = 1;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *context = client = calloc(1, sizeof *client);
        if (!client)
            return;
        const union MHD_ConnectionInfo *info =
            mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        client->connection = connection;
        client->socket = info ? info->connect_fd : -1;
        cmicrohttpd_watch(server, client, EPOLL_CTL_ADD);
        set_idle(server, client, 1);
    } else if (client) {
        set_idle(server, client, 0);
        /* libmicrohttpd closes the socket after this. */
        cmicrohttpd_watch(server, client, EPOLL_CTL_DEL);
        if (client->stream)
            client->stream->client = NULL;
        free(client);
        *context = NULL;
    }
}

static void request_completed(void *closure, struct MHD_Connection *connection, void **state,
                              enum MHD_RequestTerminationCode code)
{
    (void)code;
    if (*state && *state != closure) {
        /* The connection was closed while the request waited. */
        cmicrohttpd_free(*state);
        *state = NULL;
    }
    set_idle(closure, cmicrohttpd_client_of(connection), 1);
}

/* Closes connections that have been idle for too long. */
static void close_idle(struct cmicrohttpd *server)
{
    uint64_t now = milliseconds();
    while (server->idle && server->idle->deadline <= now) {
        struct client *client = server->idle;
        set_idle(server, client, 0);
        /* libmicrohttpd handles this as if the client had closed the connection. */
        if (client->socket >= 0)
            shutdown(client->socket, SHUT_RDWR);
    }
}

/* Requests */

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return mhd.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

struct header_count {
    const char *name;
    int count;
};

static enum MHD_Result count_header(void *closure, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    struct header_count *counted = closure;
    (void)kind, (void)value;
    counted->count += strcasecmp(name, counted->name) == 0;
    return MHD_YES;
}

static int is_repeated(struct MHD_Connection *connection, const char *name)
{
    struct header_count counted = {.name = name};
    mhd.MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, &counted);
    return counted.count > 1;
}

/* Returns the name of a header that is repeated although its value must be unique; NULL if there is none. */
static const char *repeated_header(struct MHD_Connection *connection)
{
    static const char *const unique[] = {
        MHD_HTTP_HEADER_HOST, MHD_HTTP_HEADER_CONTENT_LENGTH, MHD_HTTP_HEADER_TRANSFER_ENCODING,
        MHD_HTTP_HEADER_AUTHORIZATION, "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode"};
    for (size_t i = 0; i < sizeof unique / sizeof *unique; i++)
        if (is_repeated(connection, unique[i])) return unique[i];
    return NULL;
}

static int has_body(struct MHD_Connection *connection)
{
    const char *length = header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return header(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING)
        || (length && (length[strspn(length, "0")] != 0
                       || is_repeated(connection, MHD_HTTP_HEADER_CONTENT_LENGTH)));
}

static void refuse(struct cmicrohttpd_request *request, unsigned status, const char *text)
{
    cmicrohttpd_reply(request, status, text, strlen(text), 1);
    cmicrohttpd_add_header(request, MHD_HTTP_HEADER_CONTENT_TYPE, "text/plain");
}

/* Replies to invalid requests, for which no handler is called. */
static void refuse_invalid(struct cmicrohttpd_request *request, const char *method)
{
    struct MHD_Connection *connection = request->connection;
    const char *repeated = repeated_header(connection);
    if (request->server->is_stopping)
        refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, "the server is stopping\n");
    else if (header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH)
             && header(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING))
        refuse(request, MHD_HTTP_BAD_REQUEST, "give either Content-Length or Transfer-Encoding, not both\n");
    else if (repeated) {
        char text[64];
        snprintf(text, sizeof text, "give only one %s header\n", repeated);
        cmicrohttpd_reply(request, MHD_HTTP_BAD_REQUEST, text, strlen(text), 0);
        cmicrohttpd_add_header(request, MHD_HTTP_HEADER_CONTENT_TYPE, "text/plain");
    }
    else if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
        refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED, "GET only\n");
        cmicrohttpd_add_header(request, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    } else if (has_body(connection))
        refuse(request, MHD_HTTP_CONTENT_TOO_LARGE, "requests to this server must not have a body\n");
}

static enum MHD_Result handle(void *closure, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    struct cmicrohttpd *server = closure;
    struct cmicrohttpd_request request = {
        .server = server, .connection = connection, .path = path,
        .is_http10 = strcmp(version, MHD_HTTP_VERSION_1_0) == 0};
    (void)upload, (void)upload_size;
    if (!*state) {
        *state = server;
        set_idle(server, cmicrohttpd_client_of(connection), 0);
        /* A reply in this first call closes the connection, as required if a body follows, since nothing reads it. */
        if (!has_body(connection))
            return MHD_YES;
    }
    if (*state != server) {
        request.waited = *state;
        *state = server;
    }
    refuse_invalid(&request, method);
    if (!request.response)
        server->handler(server->context, &request);
    if (request.waited)
        cmicrohttpd_free(request.waited);
    if (request.wait) {
        /* libmicrohttpd calls this function again when the connection is resumed. */
        *state = request.wait;
        request.wait->is_suspended = 1;
        mhd.MHD_suspend_connection(connection);
        return MHD_YES;
    }
    if (!request.response)
        cmicrohttpd_reply(&request, 500, "", 0, 1);
    if (!request.response)
        return MHD_NO;
    enum MHD_Result result = mhd.MHD_queue_response(connection, request.status, request.response);
    mhd.MHD_destroy_response(request.response);
    return result;
}

int cmicrohttpd_is_http10(const struct cmicrohttpd_request *request)
{
    return request->is_http10;
}

const char *cmicrohttpd_path(const struct cmicrohttpd_request *request)
{
    return request->path;
}

int cmicrohttpd_client(const struct cmicrohttpd_request *request, char *buffer, size_t room)
{
    const union MHD_ConnectionInfo *info =
        mhd.MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info ? info->client_addr : NULL;
    socklen_t length;
    if (address && address->sa_family == AF_INET)
        length = sizeof(struct sockaddr_in);
    else if (address && address->sa_family == AF_INET6)
        length = sizeof(struct sockaddr_in6);
    else
        return 0;
    return getnameinfo(address, length, buffer, (socklen_t)room, NULL, 0, NI_NUMERICHOST) == 0;
}

const char *cmicrohttpd_header(const struct cmicrohttpd_request *request, const char *name)
{
    return header(request->connection, name);
}

const char *cmicrohttpd_argument(const struct cmicrohttpd_request *request, const char *name)
{
    const char *value = NULL;
    size_t length = 0;
    if (mhd.MHD_lookup_connection_value_n(request->connection, MHD_GET_ARGUMENT_KIND, name,
                                      strlen(name), &value, &length) != MHD_YES)
        return NULL;
    return value ? value : "";
}

void cmicrohttpd_reply(struct cmicrohttpd_request *request, unsigned status, const void *bytes,
                       size_t count, int is_permanent)
{
    if (request->response || request->wait)
        return;
    request->status = status;
    request->response = mhd.MHD_create_response_from_buffer(
        count, (void *)bytes, is_permanent ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_COPY);
}

void cmicrohttpd_add_header(struct cmicrohttpd_request *request, const char *name,
                            const char *value)
{
    if (request->response)
        mhd.MHD_add_response_header(request->response, name, value);
}

/* The server */

/* Ignores libmicrohttpd's messages about clients. */
static void ignore_log(void *closure, const char *format, va_list arguments)
{
    (void)closure, (void)format, (void)arguments;
}

static int watch(int epoll, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

struct cmicrohttpd *cmicrohttpd_start(int listener, unsigned connections, unsigned request_timeout,
                                      cmicrohttpd_handler handler, void *context)
{
    struct cmicrohttpd *server = cmicrohttpd_missing() ? NULL : calloc(1, sizeof *server);
    if (!server)
        return NULL;
    server->handler = handler;
    server->context = context;
    server->request_timeout = request_timeout;
    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    server->resumed = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    server->daemon = mhd.MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, handle, server,
        MHD_OPTION_EXTERNAL_LOGGER, ignore_log, NULL,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, CONNECTION_TIMEOUT,
        MHD_OPTION_NOTIFY_CONNECTION, connection_changed, server,
        MHD_OPTION_NOTIFY_COMPLETED, request_completed, server,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        server->daemon ? mhd.MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD) : NULL;
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

static unsigned connection_count(struct cmicrohttpd *server)
{
    const union MHD_DaemonInfo *info =
        mhd.MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return info ? info->num_connections : 0;
}

long cmicrohttpd_timeout(struct cmicrohttpd *server)
{
    MHD_UNSIGNED_LONG_LONG timeout;
    /* At the connection limit libmicrohttpd stops listening; after a connection has closed it needs another run. */
    if (server->has_closed)
        return 0;
    int is_needed = mhd.MHD_get_timeout(server->daemon, &timeout) == MHD_YES;
    if (server->idle) {
        uint64_t now = milliseconds(), deadline = server->idle->deadline;
        uint64_t rest = deadline > now ? deadline - now : 0;
        if (!is_needed || rest < timeout)
            timeout = rest;
        is_needed = 1;
    }
    if (!is_needed && connection_count(server) == 0)
        return -1;
    /* libmicrohttpd's epoll descriptor does not signal every event of a connection. */
    return !is_needed || timeout > MAXIMUM_WAIT ? MAXIMUM_WAIT : (long)timeout;
}

int cmicrohttpd_run(struct cmicrohttpd *server)
{
    eventfd_t count;
    unsigned connections = connection_count(server);
    server->has_connected = connections > 0;
    if (server->has_resumed) {
        server->has_resumed = 0;
        eventfd_read(server->resumed, &count);
    }
    cmicrohttpd_end_abandoned(server);
    mhd.MHD_run(server->daemon);
    server->has_closed = connection_count(server) < connections;
    /* Not earlier: a request may have arrived while the program was busy. */
    close_idle(server);
    return server->has_connected;
}

void cmicrohttpd_stop(struct cmicrohttpd *server)
{
    /* libmicrohttpd must not be stopped while a connection is suspended, including new ones.
       Requests that wait are answered like those that have just arrived. */
    server->is_stopping = 1;
    for (struct cmicrohttpd_stream *stream = server->streams; stream; stream = stream->next)
        cmicrohttpd_resume(stream);
    if (server->daemon) {
        mhd.MHD_run(server->daemon);
        mhd.MHD_stop_daemon(server->daemon);
    }
    close(server->epoll);
    close(server->resumed);
    free(server);
}
