/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "clinux.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

int clinux_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC);
}

int clinux_accept(int fd)
{
    return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

char **clinux_environment(void)
{
    return environ;
}
