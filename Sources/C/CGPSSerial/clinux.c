/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "clinux.h"

#include <fcntl.h>
#include <unistd.h>

int clinux_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC);
}

char **clinux_environment(void)
{
    return environ;
}
