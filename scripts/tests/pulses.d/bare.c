// SPDX-License-Identifier: MIT
/* The yardstick: takes the times of pulses by one method, with nothing else to do.
 *   bare kernel|wait|poll DEVICE LINE normal|inverted COUNT [SOCKET]
 * Prints the CLOCK_REALTIME of each leading edge in nanoseconds, and by polling half the time between the readings
 * around it. chronyd receives it by SOCKET; its true time is the nearest whole second. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/pps.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000;
static int fd, line, count, chronyd = -1;
static bool is_inverted;

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * second + time.tv_nsec;
}

static void sleep_until(int64_t until)
{
    struct timespec time = {until / second, until % second};

    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, NULL);
}

static bool is_active(void)
{
    int levels = 0;

    if (ioctl(fd, TIOCMGET, &levels) != 0)
        exit(1);
    return ((levels & line) != 0) != is_inverted;
}

static void print(int64_t time, int64_t half)
{
    struct {
        int64_t seconds, microseconds;
        double offset;
        int32_t pulse, leap, padding, magic;
    } sample = {.seconds = time / second, .microseconds = time % second / 1000, .magic = 0x534f434b};

    sample.offset = ((time + second / 2) / second * second - time / 1000 * 1000) * 1e-9;
    if (chronyd >= 0 && send(chronyd, &sample, sizeof sample, 0) != sizeof sample)
        exit(1);
    printf("%lld %lld\n", (long long)time, (long long)half);
    fflush(stdout);
    count--;
}

static void kernel(void)
{
    struct pps_fdata data = {.timeout.flags = PPS_TIME_INVALID};

    while (count > 0) {
        if (ioctl(fd, PPS_FETCH, &data) != 0)
            return;
        int64_t rise = data.info.assert_tu.sec * second + data.info.assert_tu.nsec;
        int64_t fall = data.info.clear_tu.sec * second + data.info.clear_tu.nsec;
        if (is_inverted ? fall > rise : rise > fall)
            print(is_inverted ? fall : rise, 0);
    }
}

static void wait_for_changes(void)
{
    bool was_active = is_active();

    while (count > 0) {
        if (ioctl(fd, TIOCMIWAIT, line) != 0)
            return;
        int64_t time = now();
        bool is = is_active();
        if (is && !was_active)
            print(time, 0);
        was_active = is;
    }
}

/* Looks for the edge around the time at which it is expected, without a pause. */
static void poll_levels(void)
{
    const int64_t early = 2000000;
    int64_t expected = 0, last = 0;
    bool was_active = true;

    while (count > 0) {
        if (expected == 0)
            sleep_until(now() + 1000000);
        int64_t start = now();
        bool is = is_active();
        int64_t end = now(), middle = start + (end - start) / 2;
        if (is && !was_active) {
            int64_t edge = last + (middle - last) / 2;
            if (expected != 0)
                print(edge, (middle - last) / 2);
            expected = edge + second;
            sleep_until(expected - early);
            is = false;
        } else if (expected != 0 && start > expected + 10 * early) {
            expected = 0; /* lost */
        }
        was_active = is;
        last = middle;
    }
}

/* USB drivers report the lines together with data, so these must be read. */
static void *drain(void *unused)
{
    char bytes[256];

    while (read(fd, bytes, sizeof bytes) >= 0)
        ;
    return unused;
}

int main(int arguments, char **argument)
{
    struct sockaddr_un socket_name = {.sun_family = AF_UNIX};
    struct termios settings;
    pthread_t thread;

    if (arguments < 6)
        return 2;
    const char *name = argument[3];
    line = name[0] == 'c' ? TIOCM_CTS : name[0] == 'r' ? TIOCM_RI : name[1] == 's' ? TIOCM_DSR : TIOCM_CAR;
    is_inverted = strcmp(argument[4], "inverted") == 0;
    count = atoi(argument[5]);
    if (arguments > 6) {
        chronyd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        strncpy(socket_name.sun_path, argument[6], sizeof socket_name.sun_path - 1);
        if (connect(chronyd, (struct sockaddr *)&socket_name, sizeof socket_name) != 0)
            return 1;
    }
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    fd = open(argument[2], O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return 1;
    if (argument[1][0] == 'k')
        kernel();
    fcntl(fd, F_SETFL, 0);
    tcgetattr(fd, &settings);
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    tcsetattr(fd, TCSANOW, &settings);
    if (pthread_create(&thread, NULL, drain, NULL) != 0)
        return 1;
    argument[1][0] == 'w' ? wait_for_changes() : poll_levels();
    _exit(0);
}
