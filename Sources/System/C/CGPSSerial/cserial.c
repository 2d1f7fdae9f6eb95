// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "cserial.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "rate.h"

static const struct {
    unsigned rate;
    speed_t constant;
} constants[] = {
    {50, B50},           {75, B75},           {110, B110},         {134, B134},
    {150, B150},         {200, B200},         {300, B300},         {600, B600},
    {1200, B1200},       {1800, B1800},       {2400, B2400},       {4800, B4800},
    {9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},
    {115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},
    {576000, B576000},   {921600, B921600},   {1000000, B1000000}, {1152000, B1152000},
    {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000}, {3000000, B3000000},
    {3500000, B3500000}, {4000000, B4000000},
};

static speed_t constant_for(unsigned rate)
{
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (constants[i].rate == rate)
            return constants[i].constant;
    return B0;
}

static unsigned rate_for(speed_t constant)
{
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (constants[i].constant == constant)
            return constants[i].rate;
    return 0;
}

/* Closes a descriptor; keeps errno and returns -1. */
static int close_keeping_errno(int fd)
{
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

static int read_settings(int fd, struct cserial_settings *found)
{
    if (tcgetattr(fd, &found->termios) != 0)
        return -1;
    found->rate = rate_for(cfgetospeed(&found->termios));
    if (found->rate == 0)
        found->rate = rate_get(fd);
    found->exclusive = false;
    found->low_latency = false;
    found->is_tty = true;
    return 0;
}

/* Restores the settings that were found; keeps errno. */
static void set_back(int fd, const struct cserial_settings *found)
{
    int reason = errno;
    if (found->is_tty && tcsetattr(fd, TCSANOW, &found->termios) == 0
        && rate_for(cfgetospeed(&found->termios)) == 0 && found->rate != 0)
        rate_set(fd, found->rate);
    errno = reason;
}

/* Whether a UART at one rate can receive bytes at the other: it tolerates 2 %. */
static bool is_near(unsigned real, unsigned rate)
{
    return real >= rate - rate / 50 && real <= rate + rate / 50;
}

/* Whether the driver has no rates: it keeps the previous one although a usual one is set. The driver of an
 * 8250 or a PL011 also keeps it, but only if the new one is too high for the chip. */
static bool ignores_rates(int fd, struct termios settings, unsigned before)
{
    cfsetspeed(&settings, is_near(before, 9600) ? B4800 : B9600);
    return tcsetattr(fd, TCSANOW, &settings) == 0 && rate_get(fd) == before;
}

/* After a failure, the caller restores the settings. */
static int set_raw(int fd, struct termios settings, unsigned rate, enum cserial_format format)
{
    speed_t constant = constant_for(rate);
    unsigned before = rate_get(fd), real;

    if (rate == 0) {
        errno = EINVAL; /* B0 hangs up */
        return -1;
    }
    cfmakeraw(&settings);
    settings.c_iflag &= ~(IXOFF | IXANY | INPCK | IUCLC | IMAXBEL);
    settings.c_cflag &= ~(CRTSCTS | CSIZE | CSTOPB | PARENB);
    settings.c_cflag |= CLOCAL | CREAD | (format == CSERIAL_7N2 ? CS7 | CSTOPB : CS8);
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    cfsetspeed(&settings, constant == B0 ? B38400 : constant);
    if (tcsetattr(fd, TCSANOW, &settings) != 0)
        return -1;
    if (constant == B0 && rate_set(fd, rate) != 0)
        return -1;
    real = rate_get(fd); /* 0: the driver reports none */
    if (real == 0 || is_near(real, rate) || (real == before && ignores_rates(fd, settings, before)))
        return 0;
    errno = EINVAL;
    return -1;
}

static int open_locked(const char *path, bool exclusive)
{
    const int flags = O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
    int fd = open(path, O_RDWR | flags);

    if (fd < 0 && (errno == EACCES || errno == EROFS))
        fd = open(path, O_RDONLY | flags);
    if (fd < 0)
        return -1;
    /* Before changing the settings, which another reader may need; TIOCEXCL does not apply to
     * root. */
    if (exclusive && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            errno = EBUSY;
        return close_keeping_errno(fd);
    }
    return fd;
}

int cserial_open(const char *path, unsigned rate, enum cserial_format format, bool exclusive,
                 struct cserial_settings *found)
{
    if (rate == 0) {
        errno = EINVAL;
        return -1;
    }
    int fd = open_locked(path, exclusive);
    if (fd < 0)
        return -1;
    if (read_settings(fd, found) != 0)
        return close_keeping_errno(fd);
    /* Immediately: until then the line is echoing the receiver's bytes back to it. */
    if (set_raw(fd, found->termios, rate, format) != 0 || tcflush(fd, TCIOFLUSH) != 0) {
        set_back(fd, found);
        return close_keeping_errno(fd);
    }
    return fd;
}

int cserial_open_gnss(const char *path, bool exclusive, struct cserial_settings *found)
{
    memset(found, 0, sizeof *found);
    return open_locked(path, exclusive);
}

void cserial_exclude(int fd, struct cserial_settings *found)
{
    found->exclusive = ioctl(fd, TIOCEXCL) == 0; /* ENOTTY: not available */
}

/* Not realpath(): umockdev's overruns its buffer for a tty of the testbed. */
int cserial_real_path(const char *path, char *real, unsigned long size)
{
    char link[64];
    int fd = open(path, O_PATH | O_CLOEXEC);

    if (fd < 0)
        return -1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, real, size - 1);
    if (length < 0)
        return close_keeping_errno(fd);
    real[length] = '\0';
    close(fd);
    return 0;
}

int cserial_change(int fd, unsigned rate, enum cserial_format format)
{
    struct cserial_settings found;

    if (read_settings(fd, &found) != 0)
        return -1;
    if (set_raw(fd, found.termios, rate, format) != 0) {
        set_back(fd, &found);
        return -1;
    }
    return 0;
}

unsigned cserial_rate(int fd)
{
    struct termios settings;
    unsigned rate = rate_get(fd);

    if (rate == 0 && tcgetattr(fd, &settings) == 0)
        rate = rate_for(cfgetospeed(&settings));
    return rate;
}

unsigned cserial_unsent(int fd)
{
    int count = 0;

    return ioctl(fd, TIOCOUTQ, &count) == 0 && count > 0 ? (unsigned)count : 0;
}

/* Sets or clears ASYNC_LOW_LATENCY; returns 1 after a change, 0 if nothing had to be changed. */
static int set_low_latency(int fd, bool on)
{
    struct serial_struct serial;

    if (ioctl(fd, TIOCGSERIAL, &serial) != 0)
        return -1;
    if (((serial.flags & ASYNC_LOW_LATENCY) != 0) == on)
        return 0;
    serial.flags ^= ASYNC_LOW_LATENCY;
    return ioctl(fd, TIOCSSERIAL, &serial) == 0 ? 1 : -1;
}

int cserial_low_latency(int fd, struct cserial_settings *found)
{
    int result = set_low_latency(fd, true);

    found->low_latency = found->low_latency || result == 1;
    return result < 0 ? -1 : 0;
}

void cserial_restore(int fd, const struct cserial_settings *found)
{
    /* close() would wait up to 30 s for a device that takes no bytes (closing_wait). Only then: the chip's
     * own buffer, which a flush also empties, may hold the end of a command. */
    if (cserial_unsent(fd) > 0)
        tcflush(fd, TCOFLUSH);
    set_back(fd, found);
    if (found->low_latency)
        set_low_latency(fd, false);
    if (found->exclusive)
        ioctl(fd, TIOCNXCL);
    /* A process that is just being started has the tty, and its lock, until it becomes another program. */
    flock(fd, LOCK_UN);
}

static enum cserial_input outcome(ssize_t n, unsigned long *count)
{
    if (n > 0) {
        *count = (unsigned long)n;
        return CSERIAL_BYTES;
    }
    if (n == 0)
        return CSERIAL_END;
    switch (errno) {
    case EAGAIN: return CSERIAL_NOTHING_YET;
    case EIO:
    case ENODEV:
    case ENXIO: return CSERIAL_HANGUP;
    default: return CSERIAL_FAILED;
    }
}

enum cserial_input cserial_read(int fd, void *bytes, unsigned long size, unsigned long *count)
{
    ssize_t n;

    do
        n = read(fd, bytes, size);
    while (n < 0 && errno == EINTR);
    return outcome(n, count);
}

enum cserial_input cserial_receive(int fd, void *bytes, unsigned long size, unsigned long *count)
{
    ssize_t n;

    do
        n = recv(fd, bytes, size, MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    return outcome(n, count);
}

int cserial_pty(char *path, unsigned long size)
{
    struct termios settings;
    int on = 1, slave, name;
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

    if (master < 0)
        return -1;
    if (grantpt(master) != 0 || unlockpt(master) != 0)
        return close_keeping_errno(master);
    if ((name = ptsname_r(master, path, size)) != 0) {
        errno = name;
        return close_keeping_errno(master);
    }
    /* The settings outlive this open; from now on the master reports when no program has the tty open. */
    slave = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (slave < 0)
        return close_keeping_errno(master);
    if (tcgetattr(slave, &settings) != 0 || set_raw(slave, settings, 9600, CSERIAL_8N1) != 0) {
        close_keeping_errno(slave);
        return close_keeping_errno(master);
    }
    close(slave);
    if (ioctl(master, TIOCPKT, &on) != 0)
        return close_keeping_errno(master);
    return master;
}

bool cserial_is_own_terminal(const char *path)
{
    struct stat status;
    unsigned device = 0;
    int fd, result;

    if (stat(path, &status) != 0 || !S_ISCHR(status.st_mode))
        return false;
    if (status.st_rdev == makedev(5, 0))
        return true;
    fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    result = ioctl(fd, TIOCGDEV, &device);
    close(fd);
    /* As the kernel packs it: 8 bits of the minor number, 12 of the major one, and the rest. */
    return result == 0
        && status.st_rdev == makedev(device >> 8 & 0xFFF, (device & 0xFF) | (device >> 12 & 0xFFF00));
}
