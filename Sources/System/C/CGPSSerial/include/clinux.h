// SPDX-License-Identifier: MIT
#pragma once

/* Headers that Swift's Glibc module does not include. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>

/* Names the calling thread for ps and debuggers; at most 15 characters. */
static inline void clinux_name_thread(const char *name)
{
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

/* Creates a pipe with O_CLOEXEC; returns 0, or -1 with errno. */
int clinux_pipe(int ends[2]);

/* Accepts a connection with O_CLOEXEC and O_NONBLOCK; returns its descriptor, or -1 with errno. */
int clinux_accept(int fd);

/* Returns this process's environment (`environ`), for a child process. */
char **clinux_environment(void);
