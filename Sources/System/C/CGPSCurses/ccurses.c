// SPDX-License-Identifier: MIT
#include "ccurses.h"
#include <cloading.h>
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

/* libtinfo is loaded when the screen is opened: without it the command prints text. */
static struct {
    __typeof__(&setupterm) setupterm;
    __typeof__(&tigetstr) tigetstr;
    __typeof__(&tigetnum) tigetnum;
    __typeof__(&tiparm) tiparm;
} terminfo;

static int load(void)
{
    static const char *const names[] = {"libtinfo.so.6", "libtinfow.so.6", "libncursesw.so.6"};

#define ENTRY(name) CLOADING_FUNCTION(terminfo, name, "terminfo")
    static const struct cloading_function functions[] = {
        ENTRY(tigetstr), ENTRY(tigetnum), ENTRY(tiparm), ENTRY(setupterm), {0}};

    for (size_t i = 0; i < sizeof names / sizeof *names && terminfo.setupterm == NULL; i++)
        cloading_load(names[i], functions);
    return terminfo.setupterm == NULL ? -1 : 0;
}

int ccurses_open(int descriptor)
{
    int result = 0;

    if (load() != 0) return -2;
    /* With a pointer to `result`, setupterm returns an error instead of ending the program. */
    return terminfo.setupterm(NULL, descriptor, &result) == OK && result == 1 ? 0 : -1;
}

int ccurses_sequence(const char *capability, int a, int b, char *buffer, int size)
{
    char *text = terminfo.tigetstr((char *)capability);
    int length = 0;

    if (text == NULL || text == (char *)-1) return 0;
    text = terminfo.tiparm(text, a, b);
    while (text != NULL && *text != 0) {
        /* Skips padding delays, which terminals needed on slow lines. */
        if (text[0] == '$' && text[1] == '<' && strchr(text, '>') != NULL) {
            text = strchr(text, '>') + 1;
        } else {
            if (length == size) return 0;
            buffer[length++] = *text++;
        }
    }
    return length;
}

int ccurses_number(const char *capability)
{
    int number = terminfo.tigetnum((char *)capability);

    return number < 0 ? -1 : number;
}

int ccurses_size(int descriptor, int *width, int *height)
{
    struct winsize size;

    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
    *width = size.ws_col;
    *height = size.ws_row;
    return 0;
}

int ccurses_is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    int result = 0;

    if (locale == (locale_t)0) return 0;
    result = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return result;
}

static int input = -1, output = -1;
static struct termios before, taken;
static int is_taken;
static char *farewell;
static int farewell_length;

static const int fatal_signals[] = {SIGQUIT, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV};
enum { death_count = sizeof fatal_signals / sizeof *fatal_signals };
static struct sigaction previous[death_count];

/* Uses only functions that signal handlers may call. */
static void die(int number)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC), terminal = nowhere < 0 ? -1 : dup(output);

    /* The next frame of another thread must not follow the farewell. */
    if (terminal < 0) terminal = output; else dup2(nowhere, output);
    /* While another thread writes a frame, and while the terminal is stalled, writing is refused (EAGAIN). */
    for (int i = 0; i < 40 && write(terminal, farewell, (size_t)farewell_length) < 0 && errno == EAGAIN; i++)
        poll(NULL, 0, 5);
    tcsetattr(input, TCSANOW, &before);
    for (int i = 0; i < death_count; i++)
        if (fatal_signals[i] == number) sigaction(number, &previous[i], NULL);
    raise(number);
}

static atomic_uint continuations;

int ccurses_is_in_background(int terminal)
{
    pid_t group = tcgetpgrp(terminal);

    return group >= 0 && group != getpgrp();
}

unsigned ccurses_continuations(void)
{
    return atomic_load(&continuations);
}

void ccurses_stop_in_background(void)
{
    sigset_t only, saved;

    sigemptyset(&only);
    sigaddset(&only, SIGTTOU);
    pthread_sigmask(SIG_UNBLOCK, &only, &saved);
    /* Sends the signal to the whole job, as the kernel does. */
    kill(0, SIGTTOU);
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
}

int ccurses_set_key_mode(int in, int out, const char *text, int length)
{
    struct sigaction action = {.sa_handler = die};

    if (tcgetattr(in, &before) != 0) return -1;
    free(farewell);
    farewell = malloc((size_t)length + 1);
    if (farewell == NULL) return -1;
    memcpy(farewell, text, (size_t)length);
    farewell_length = length;
    input = in;
    output = out;
    taken = before;
    taken.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    /* Reading never waits: the poller has reported that input is available. */
    taken.c_cc[VMIN] = 0;
    taken.c_cc[VTIME] = 0;
    if (tcsetattr(in, TCSANOW, &taken) != 0) return -1;
    is_taken = 1;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < death_count; i++) sigaction(fatal_signals[i], &action, &previous[i]);
    return 0;
}

void ccurses_restore(void)
{
    /* The terminal may belong to the shell again. */
    if (is_taken) tcsetattr(input, TCSANOW, &before);
    is_taken = 0;
}

void ccurses_resume(void)
{
    if (input < 0) return;
    /* A shell may have changed the settings after they were restored. */
    if (!is_taken) tcgetattr(input, &before);
    tcsetattr(input, TCSANOW, &taken);
    is_taken = 1;
}

void ccurses_close(void)
{
    if (output < 0) return;
    for (int i = 0; i < death_count; i++) sigaction(fatal_signals[i], &previous[i], NULL);
    input = output = -1;
}

static int notes = -1;
static atomic_uint noted;

static void note(int number)
{
    int saved = errno;
    uint64_t one = 1;
    unsigned flag = number == SIGWINCH ? ccurses_resized
        : number == SIGTSTP ? ccurses_stopping : ccurses_continued;

    if (number == SIGCONT) atomic_fetch_add(&continuations, 1);
    atomic_fetch_or(&noted, flag);
    ssize_t written = write(notes, &one, sizeof one);
    (void)written;
    errno = saved;
}

static int watch(int number)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART}, old;

    /* The parent process may have disabled stopping. */
    if (number == SIGTSTP && sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
        return 0;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, NULL);
}

int ccurses_event_descriptor(void)
{
    if (notes >= 0) return notes;
    notes = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (notes < 0) return -1;
    if (watch(SIGWINCH) != 0 || watch(SIGTSTP) != 0 || watch(SIGCONT) != 0) return -1;
    return notes;
}

unsigned ccurses_read_events(void)
{
    uint64_t count;
    ssize_t got = read(notes, &count, sizeof count);

    (void)got;
    return atomic_exchange(&noted, 0);
}

void ccurses_stop(void)
{
    sigset_t only, saved;

    signal(SIGTSTP, SIG_DFL);
    sigemptyset(&only);
    sigaddset(&only, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &only, &saved);
    /* Sends the signal to this thread, so that it is stopped before this function returns. */
    raise(SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    watch(SIGTSTP);
}
