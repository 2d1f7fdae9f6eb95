// SPDX-License-Identifier: MIT
#pragma once

/* Swift's Glibc module leaves these out. */
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

/* A pipe that programs do not inherit, from its creation on; 0, or -1 with errno. */
int clinux_pipe(int ends[2]);

/* The environment, as a program that is started gets it. */
char **clinux_environment(void);
