// SPDX-License-Identifier: MIT
#pragma once
#include <microhttpd.h>

/* The libmicrohttpd functions in use. The first server loads the library, since it depends on GnuTLS, which
   needs 3 MB of memory. */
#define FUNCTIONS(X) \
    X(MHD_add_response_header) \
    X(MHD_create_response_from_buffer) \
    X(MHD_create_response_from_callback) \
    X(MHD_destroy_response) \
    X(MHD_get_connection_info) \
    X(MHD_get_connection_values) \
    X(MHD_get_daemon_info) \
    X(MHD_get_timeout) \
    X(MHD_lookup_connection_value) \
    X(MHD_lookup_connection_value_n) \
    X(MHD_queue_response) \
    X(MHD_resume_connection) \
    X(MHD_run) \
    X(MHD_set_connection_option) \
    X(MHD_start_daemon) \
    X(MHD_stop_daemon) \
    X(MHD_suspend_connection)

extern struct microhttpd {
#define DECLARE(name) __typeof__(&name) name;
    FUNCTIONS(DECLARE)
} mhd __attribute__((visibility("hidden")));
