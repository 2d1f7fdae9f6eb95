// SPDX-License-Identifier: MIT
#include "cmicrohttpd.h"
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

struct cmicrohttpd {
    struct MHD_Daemon *daemon;
    cmicrohttpd_handler handler;
    void (*release)(void *context, struct cmicrohttpd_answer *answer);
    void *context;
};

static const char *header(struct MHD_Connection *connection, const char *name)
{
    const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
    return value ? value : "";
}

static enum MHD_Result handle(void *closure, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    struct cmicrohttpd *server = closure;
    struct cmicrohttpd_answer answer = {405, "text/plain", "GET only\n", 9, NULL};
    (void)version, (void)upload, (void)upload_size, (void)state;
    int is_answered = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    if (is_answered)
        server->handler(server->context, path, header(connection, "Host"),
                        header(connection, "Accept"), &answer);
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer.count, (void *)answer.data, MHD_RESPMEM_MUST_COPY);
    enum MHD_Result result = MHD_NO;
    if (response) {
        MHD_add_response_header(response, "Content-Type", answer.content_type);
        MHD_add_response_header(response, "Cache-Control", "no-store");
        MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
        MHD_add_response_header(response, "Content-Security-Policy", "default-src 'none'");
        result = MHD_queue_response(connection, answer.status, response);
        MHD_destroy_response(response);
    }
    if (is_answered)
        server->release(server->context, &answer);
    return result;
}

/* Its complaints about clients are of no use. */
static void be_silent(void *closure, const char *format, va_list arguments)
{
    (void)closure, (void)format, (void)arguments;
}

struct cmicrohttpd *cmicrohttpd_start(int listener, unsigned connections,
                                      cmicrohttpd_handler handler,
                                      void (*release)(void *context,
                                                      struct cmicrohttpd_answer *answer),
                                      void *context)
{
    struct cmicrohttpd *server = calloc(1, sizeof *server);
    if (!server)
        return NULL;
    server->handler = handler;
    server->release = release;
    server->context = context;
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_ERROR_LOG, 0, NULL, NULL, handle, server,
        MHD_OPTION_EXTERNAL_LOGGER, be_silent, NULL,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, 10u, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)8192,
        MHD_OPTION_END);
    if (!server->daemon) {
        free(server);
        return NULL;
    }
    return server;
}

int cmicrohttpd_epoll(struct cmicrohttpd *server)
{
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
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
    MHD_run(server->daemon);
}

void cmicrohttpd_stop(struct cmicrohttpd *server)
{
    MHD_stop_daemon(server->daemon);
    free(server);
}
