// SPDX-License-Identifier: MIT
#include "csignals.h"
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int descriptor = -1;

static void note(int number)
{
    (void)number;
    int saved = errno;
    uint64_t one = 1;
    ssize_t written = write(descriptor, &one, sizeof one);
    (void)written;
    errno = saved;
}

int csignals_descriptor(void)
{
    descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (descriptor < 0) return -1;
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART | SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, &action, NULL) != 0) return -1;
    if (sigaction(SIGTERM, &action, NULL) != 0) return -1;
    signal(SIGPIPE, SIG_IGN);
    return descriptor;
}
