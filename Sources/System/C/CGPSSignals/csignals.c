// SPDX-License-Identifier: MIT
#include "csignals.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int descriptor = -1;

static volatile sig_atomic_t received;

static int hangups = -1;

static int had_terminal;

static void note(int number)
{
    if (received == 0) received = number;
    int saved = errno;
    uint64_t one = 1;
    ssize_t written = write(descriptor, &one, sizeof one);
    (void)written;
    errno = saved;
}

/* Ends the process at a second SIGINT, unless it follows at once. */
static void note_interrupt(int number)
{
    static volatile _Atomic unsigned long first;
    struct timespec time;
    unsigned long now;

    clock_gettime(CLOCK_MONOTONIC, &time);
    /* Milliseconds, and never 0. */
    now = ((unsigned long)time.tv_sec * 1000 + (unsigned long)time.tv_nsec / 1000000) | 1;
    if (first != 0 && now - first > 500) {
        signal(SIGINT, SIG_DFL);
        raise(SIGINT);
        return;
    }
    if (first == 0) first = now;
    note(number);
}

static void note_hangup(int number)
{
    (void)number;
    int saved = errno;
    uint64_t one = 1;
    ssize_t written = write(hangups, &one, sizeof one);
    (void)written;
    errno = saved;
}

static int has_terminal(void)
{
    int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (terminal >= 0) close(terminal);
    return terminal >= 0;
}

int csignals_hangup_descriptor(void)
{
    struct sigaction action;
    if (hangups >= 0) return hangups;
    if (sigaction(SIGHUP, NULL, &action) != 0) return -1;
    had_terminal = has_terminal();
    hangups = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (hangups < 0 || action.sa_handler == SIG_IGN) return hangups;
    action.sa_handler = note_hangup;
    if (sigaction(SIGHUP, &action, NULL) != 0) {
        close(hangups);
        hangups = -1;
    }
    return hangups;
}

int csignals_clear_hangup(void)
{
    uint64_t count;
    ssize_t length = read(hangups, &count, sizeof count);
    (void)length;
    return had_terminal && !has_terminal();
}

int csignals_occupy_standard_descriptors(void)
{
    /* Standard input is empty; writing to standard output fails, so that lost output is noticed. */
    static const int modes[] = {O_RDONLY, O_RDONLY, O_RDWR};

    for (int i = 0; i < 3; i++) {
        if (fcntl(i, F_GETFD) != -1 || errno != EBADF) continue;
        /* This is the lowest free number, since the ones below are open. */
        if (open("/dev/null", modes[i]) != i) return -1;
    }
    return 0;
}

int csignals_descriptor(void)
{
    descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (descriptor < 0) return -1;
    /* `timeout` sends its signal twice, and so do the kernel and a shell whose terminal is closed. */
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, &action, NULL) != 0) return -1;
    action.sa_handler = note;
    if (sigaction(SIGTERM, &action, NULL) != 0) return -1;
    if (sigaction(SIGALRM, &action, NULL) != 0) return -1;
    /* Like gpsd: Swift's runtime would treat SIGQUIT as a crash, and links and terminals would not be restored. */
    struct sigaction quit;
    if (sigaction(SIGQUIT, NULL, &quit) != 0) return -1;
    if (quit.sa_handler != SIG_IGN && sigaction(SIGQUIT, &action, NULL) != 0) return -1;
    /* `nohup` ignores SIGHUP; keep that. */
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) != 0) return -1;
    if (hangup.sa_handler != SIG_IGN && sigaction(SIGHUP, &action, NULL) != 0) return -1;
    signal(SIGPIPE, SIG_IGN);
    return descriptor;
}

void csignals_wait_forever(void)
{
    sigset_t none;

    sigemptyset(&none);
    for (;;) sigsuspend(&none);
}

int csignals_received(void)
{
    return received;
}

int csignals_end_after(double seconds)
{
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};

    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    return setitimer(ITIMER_REAL, &timer, NULL);
}
