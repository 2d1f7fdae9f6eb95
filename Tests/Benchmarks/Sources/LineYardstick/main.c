// SPDX-License-Identifier: MIT
// The minimal program that reads a receiver's line, for comparison with the command.
//
//     line-yardstick copy TTY...            writes the bytes that it reads
//     line-yardstick json TTY...            writes a line of JSON for each RMC
//     line-yardstick forward PORT TTY...    sends that line to all clients
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

enum { limit = 1024, capacity = 4096 };

static struct line {
    int fd;
    const char *path;
    size_t count;
    char bytes[capacity];
} lines[limit];
static int line_count;
static int clients[limit];
static int client_count;
static int poller;

static void watch(int fd, int index)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (unsigned)index};
    epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
}

static int open_line(const char *path)
{
    int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    struct termios settings;
    if (fd < 0 || tcgetattr(fd, &settings) < 0) {
        perror(path);
        exit(1);
    }
    cfmakeraw(&settings);
    tcsetattr(fd, TCSANOW, &settings);
    return fd;
}

static int listen_on(int port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 128) < 0) {
        perror("listen");
        exit(1);
    }
    return fd;
}

static void welcome(int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), yes = 1;
    if (fd < 0 || client_count == limit)
        return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    clients[client_count++] = fd;
}

// The line has as many members as a report of a fix.
static void report(const struct line *line, const char *time, int listener)
{
    char text[512];
    int length = snprintf(
        text, sizeof text,
        "{\"class\":\"TPV\",\"device\":\"%s\",\"mode\":3,\"time\":\"2026-03-21T%.2s:%.2s:%.2s.%.2s0Z\","
        "\"lat\":%.9f,\"lon\":%.9f,\"altHAE\":%.4f,\"altMSL\":%.4f,\"epx\":%.3f,\"epy\":%.3f,\"epv\":%.3f,"
        "\"track\":%.4f,\"speed\":%.3f,\"climb\":%.3f,\"eps\":%.2f,\"epc\":%.2f}\n",
        line->path, time, time + 2, time + 4, time + 7, 47.285, 8.565, 547.6, 499.6, 3.1, 3.2, 7.4,
        77.52, 0.002, 0.0, 6.4, 14.8);
    if (listener < 0) {
        if (write(STDOUT_FILENO, text, length) < 0)
            exit(1);
    }
    for (int i = 0; i < client_count; i++)
        send(clients[i], text, length, MSG_NOSIGNAL);
}

static void read_line(struct line *line, int copies, int listener)
{
    ssize_t count = read(line->fd, line->bytes + line->count, capacity - line->count);
    if (count <= 0)
        return;
    if (copies) {
        if (write(STDOUT_FILENO, line->bytes, count) < 0)
            exit(1);
        return;
    }
    line->count += count;
    char *start = line->bytes, *end;
    while ((end = memchr(start, '\n', line->bytes + line->count - start))) {
        if (end - start > 20 && !memcmp(start + 3, "RMC,", 4))
            report(line, start + 7, listener);
        start = end + 1;
    }
    line->count -= start - line->bytes;
    memmove(line->bytes, start, line->count);
    if (line->count == capacity)
        line->count = 0;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    int forwards = !strcmp(mode, "forward"), copies = !strcmp(mode, "copy");
    int first = forwards ? 3 : 2, listener = -1;
    if (argc <= first || !(forwards || copies || !strcmp(mode, "json")) || argc - first > limit) {
        fputs("usage: line-yardstick copy|json|forward PORT TTY...\n", stderr);
        return 2;
    }
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (forwards) {
        listener = listen_on(atoi(argv[2]));
        watch(listener, limit);
    }
    for (int i = first; i < argc; i++) {
        struct line *line = &lines[line_count];
        line->path = argv[i];
        line->fd = open_line(argv[i]);
        watch(line->fd, line_count++);
    }
    for (;;) {
        struct epoll_event events[64];
        int count = epoll_wait(poller, events, 64, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.u32 == limit)
                welcome(listener);
            else
                read_line(&lines[events[i].data.u32], copies, listener);
        }
    }
}
