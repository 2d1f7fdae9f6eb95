// SPDX-License-Identifier: MIT
// Measures the time from the last byte of an epoch to the line with its time. It writes to pseudo terminals, and
// reads a command's output, or a port that the command serves. See docs/performance.md.
//
//     line-bench [-r HZ] [-d SECONDS] [-n RECEIVERS] [-b BAUD] [-u] [-p] -- COMMAND WORD...
//
// The word TTY is replaced by the terminals, and PORT in a word by a free port, to which -p connects. With -b, the
// bytes are sent sixteen at a time, as on a line of that rate, and RMC is last. Without -b, each epoch is sent at
// once, with RMC first, followed by lists of satellites. With -u, the same epoch is UBX: NAV-PVT, NAV-SAT, NAV-DOP
// and NAV-EOE.
//
// Prints the number of received and expected lines; p50, p90 and p99 of the latency in microseconds; the percentage
// of a processor; resident KB. Only the first line of an epoch counts.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { most_receivers = 512, warm_up = 3, day = 86400 };

static int rate = 10, duration = 10, receivers = 1, baud, is_ubx;
static struct receiver {
    int fd;
    char path[64];
    int64_t *sent, *received;
} all[most_receivers];
static int epochs;
static int output;

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void sleep_until(int64_t instant)
{
    struct timespec time = {instant / 1000000000, instant % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL))
        ;
}

static char *add(char *end, const char *body)
{
    unsigned sum = 0;
    for (const char *byte = body; *byte; byte++)
        sum ^= (unsigned char)*byte;
    return end + sprintf(end, "$%s*%02X\r\n", body, sum);
}

// Writes little-endian numbers, as in UBX.
static void put(char *place, long value, int size)
{
    for (int i = 0; i < size; i++)
        place[i] = (char)(value >> 8 * i);
}

// Completes a frame whose payload has been written. Returns the frame's end.
static char *add_frame(char *frame, int id, int size)
{
    unsigned char a = 0, b = 0;
    put(frame, 0x62b5, 2);
    put(frame + 2, 1 | id << 8, 2);
    put(frame + 4, size, 2);
    for (char *byte = frame + 2; byte < frame + 6 + size; byte++)
        b += a += (unsigned char)*byte;
    put(frame + 6 + size, a | b << 8, 2);
    return frame + 8 + size;
}

// The values of the sentences of `make_epoch`.
static size_t make_ubx_epoch(char *bytes, int number)
{
    enum { satellites = 16, saturday_ms = 6 * day * 1000 };
    char *end = bytes, *payload = end + 6;
    long milliseconds = (long)number * 1000 / rate % (day * 1000L), of_week = saturday_ms + 18000 + milliseconds;
    memset(bytes, 0, 2048);
    put(payload, of_week, 4);
    put(payload + 4, 2026 | 3 << 16 | 21 << 24, 4);
    put(payload + 8, milliseconds / 3600000, 1);
    put(payload + 9, milliseconds / 60000 % 60, 1);
    put(payload + 10, milliseconds / 1000 % 60, 1);
    put(payload + 11, 7, 1);
    put(payload + 12, 20, 4);
    put(payload + 16, milliseconds % 1000 * 1000000, 4);
    put(payload + 20, 3 | 1 << 8, 2);
    put(payload + 23, 8, 1);
    put(payload + 24, 85652650, 4);
    put(payload + 28, 472852330 + (long)(number % 80000) * 5 / 3, 4);
    put(payload + 32, 547600, 4);
    put(payload + 36, 499600, 4);
    put(payload + 40, 2500, 4);
    put(payload + 44, 4000, 4);
    put(payload + 60, 2, 4);
    put(payload + 64, 7752000, 4);
    put(payload + 68, 100, 4);
    put(payload + 72, 100000, 4);
    put(payload + 76, 194, 2);
    end = add_frame(end, 0x07, 92);
    payload = end + 6;
    put(payload, of_week, 4);
    put(payload + 4, 1 | satellites << 8, 2);
    for (int i = 0; i < satellites; i++) {
        char *satellite = payload + 8 + 12 * i;
        put(satellite, i / 8 * 2 | (i % 8 + 1) << 8, 2);
        put(satellite + 2, 30 + i % 4 * 3, 1);
        put(satellite + 3, 12 + i * 4, 1);
        put(satellite + 4, i * 22, 2);
        put(satellite + 8, i % 2 ? 0x171f : 0x1714, 4);
    }
    end = add_frame(end, 0x35, 8 + 12 * satellites);
    payload = end + 6;
    put(payload, of_week, 4);
    for (int i = 0; i < 7; i++)
        put(payload + 4 + 2 * i, 194 - 12 * i, 2);
    end = add_frame(end, 0x04, 18);
    put(end + 6, of_week, 4);
    return add_frame(end, 0x61, 4) - bytes;
}

static size_t make_epoch(char *bytes, int number)
{
    if (is_ubx)
        return make_ubx_epoch(bytes, number);
    char rmc[96], gga[96], gll[96], list[96], *end = bytes;
    int hundredths = (int)((long)number * 100 / rate), seconds = hundredths / 100 % day;
    int clock = seconds / 3600 * 10000 + seconds / 60 % 60 * 100 + seconds % 60, part = hundredths % 100;
    int place = 11399 + number % 80000;
    sprintf(rmc, "GPRMC,%06d.%02d,A,4717.%05d,N,00833.91590,E,0.004,77.52,210326,,,A", clock, part, place);
    sprintf(gga, "GPGGA,%06d.%02d,4717.%05d,N,00833.91590,E,1,08,1.01,499.6,M,48.0,M,,", clock, part, place);
    sprintf(gll, "GPGLL,4717.%05d,N,00833.91590,E,%06d.%02d,A,A", place, clock, part);
    if (!baud) {
        end = add(end, rmc);
        end = add(end, "GPVTG,77.52,T,,M,0.004,N,0.008,K,A");
    }
    end = add(end, gga);
    end = add(end, "GPGSA,A,3,23,29,07,08,09,18,26,28,,,,,1.94,1.18,1.54");
    for (int part = 1; part <= 4; part++) {
        sprintf(list, "GPGSV,4,%d,13,%02d,28,259,33,%02d,12,212,29,%02d,34,305,30,%02d,79,138,39", part,
                4 * part, 4 * part + 1, 4 * part + 2, 4 * part + 3);
        end = add(end, list);
    }
    return add(end, baud ? rmc : gll) - bytes;
}

static void send_epoch(int number)
{
    char bytes[2048];
    size_t count = make_epoch(bytes, number), piece = baud ? 16 : count;
    int64_t start = now();
    for (size_t sent = 0; sent < count; sent += piece) {
        if (count - sent < piece)
            piece = count - sent;
        if (baud)
            sleep_until(start + (int64_t)(sent + piece) * 10000000000LL / baud);
        for (int i = 0; i < receivers; i++) {
            if (sent + piece == count)
                __atomic_store_n(&all[i].sent[number], now(), __ATOMIC_RELEASE);
            if (write(all[i].fd, bytes + sent, piece) < 0)
                perror(all[i].path);
        }
    }
}

// Returns the epoch of a line's time; -1 if the line has no time.
static int epoch_of(const char *line)
{
    int hour, minute, second, part;
    const char *time;
    if (strstr(line, "\"class\":\"TPV\"") && (time = strstr(line, "\"time\":\""))) {
        if (sscanf(time + 19, "%2d:%2d:%2d.%2d", &hour, &minute, &second, &part) != 4)
            return -1;
    } else if (*line == '$' && (time = strstr(line, baud ? "RMC," : ",E,"))) {
        if (!baud && strncmp(line + 3, "GLL", 3))
            return -1;
        if (sscanf(time + (baud ? 4 : 3), "%2d%2d%2d.%2d", &hour, &minute, &second, &part) != 4)
            return -1;
    } else {
        return -1;
    }
    long hundredths = ((hour * 60L + minute) * 60 + second) * 100 + part;
    return (int)((hundredths * rate + 50) / 100);
}

static void note(const char *line, int64_t instant)
{
    int epoch = epoch_of(line), index = 0;
    if (epoch < 0 || epoch >= epochs)
        return;
    const char *device = strstr(line, "\"device\":\"");
    if (receivers > 1) {
        size_t length = device ? strcspn(device + 10, "\"") : 0;
        while (index < receivers
               && (strlen(all[index].path) != length || strncmp(all[index].path, device + 10, length)))
            index++;
    }
    if (index < receivers && !all[index].received[epoch])
        all[index].received[epoch] = instant;
}

static void *receive(void *unused)
{
    static char bytes[1 << 18];
    size_t count = 0;
    ssize_t more;
    while ((more = read(output, bytes + count, sizeof bytes - 1 - count)) > 0) {
        int64_t instant = now();
        count += more;
        bytes[count] = 0;
        char *start = bytes, *end;
        while ((end = strchr(start, '\n'))) {
            *end = 0;
            note(start, instant);
            start = end + 1;
        }
        count -= start - bytes;
        memmove(bytes, start, count);
        if (count == sizeof bytes - 1)
            count = 0;
    }
    return unused;
}

// Returns the processor time so far in nanoseconds.
static int64_t processor_time(pid_t process)
{
    clockid_t clock;
    struct timespec time = {0};
    if (!clock_getcpuclockid(process, &clock))
        clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static long resident(pid_t process)
{
    char path[64], line[256];
    long size = -1;
    snprintf(path, sizeof path, "/proc/%d/status", process);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "VmRSS: %ld", &size);
    if (file)
        fclose(file);
    return size;
}

static void open_terminal(struct receiver *receiver)
{
    struct termios settings;
    receiver->fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (receiver->fd < 0 || grantpt(receiver->fd) || unlockpt(receiver->fd)
        || ptsname_r(receiver->fd, receiver->path, sizeof receiver->path)) {
        perror("pseudo terminal");
        exit(1);
    }
    // Stays open, so that the settings are kept.
    int other = open(receiver->path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    tcgetattr(other, &settings);
    cfmakeraw(&settings);
    cfsetspeed(&settings, B9600);
    tcsetattr(other, TCSANOW, &settings);
    receiver->sent = calloc(epochs, sizeof *receiver->sent);
    receiver->received = calloc(epochs, sizeof *receiver->received);
}

static int connect_to(struct sockaddr_in *address)
{
    static const char watch[] = "?WATCH={\"enable\":true,\"json\":true};\n";
    for (int attempt = 0; attempt < 200; attempt++) {
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (!connect(fd, (struct sockaddr *)address, sizeof *address)) {
            if (write(fd, watch, sizeof watch - 1) < 0)
                perror("watch");
            return fd;
        }
        close(fd);
        usleep(50000);
    }
    fputs("line-bench: the command accepts no connection\n", stderr);
    exit(1);
}

static void free_port(struct sockaddr_in *address)
{
    socklen_t size = sizeof *address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bind(fd, (struct sockaddr *)address, size);
    getsockname(fd, (struct sockaddr *)address, &size);
    close(fd);
}

static pid_t start(char **words, int port, int out)
{
    static char texts[32][256];
    char **command = calloc(most_receivers + 64, sizeof *command);
    int count = 0, text = 0;
    for (; *words && count < 40; words++) {
        char *place = strstr(*words, "PORT");
        if (!strcmp(*words, "TTY")) {
            for (int i = 0; i < receivers; i++)
                command[count++] = all[i].path;
        } else if (place && text < 32) {
            snprintf(texts[text], sizeof *texts, "%.*s%d%s", (int)(place - *words), *words, port, place + 4);
            command[count++] = texts[text++];
        } else {
            command[count++] = *words;
        }
    }
    pid_t process = fork();
    if (process)
        return process;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (out >= 0)
        dup2(out, STDOUT_FILENO);
    execvp(*command, command);
    perror(*command);
    _exit(127);
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int option, connects = 0, ends[2] = {-1, -1};
    while ((option = getopt(argc, argv, "+r:d:n:b:up")) != -1) {
        switch (option) {
        case 'r': rate = atoi(optarg); break;
        case 'd': duration = atoi(optarg); break;
        case 'n': receivers = atoi(optarg); break;
        case 'b': baud = atoi(optarg); break;
        case 'u': is_ubx = 1; break;
        case 'p': connects = 1; break;
        default: return 2;
        }
    }
    if (optind == argc || rate < 1 || rate > 100 || duration < 1 || duration > 3600 || receivers < 1
        || receivers > most_receivers) {
        fputs("usage: line-bench [-r HZ] [-d SECONDS] [-n RECEIVERS] [-b BAUD] [-u] [-p] -- COMMAND WORD...\n", stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_TIMERSLACK, 1);
    epochs = (warm_up + duration) * rate;
    for (int i = 0; i < receivers; i++)
        open_terminal(&all[i]);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    free_port(&address);
    if (!connects && pipe2(ends, O_CLOEXEC))
        return 1;
    pid_t process = start(argv + optind, ntohs(address.sin_port), ends[1]);
    close(ends[1]);
    output = connects ? connect_to(&address) : ends[0];
    pthread_t reader;
    pthread_create(&reader, NULL, receive, NULL);
    usleep(1000000);

    int64_t first = now(), used = 0, begin = 0;
    for (int epoch = 0; epoch < epochs; epoch++) {
        sleep_until(first + (int64_t)epoch * 1000000000 / rate);
        if (epoch == warm_up * rate) {
            used = processor_time(process);
            begin = now();
        }
        send_epoch(epoch);
    }
    usleep(300000);
    used = processor_time(process) - used;
    double load = used * 100.0 / (now() - begin);
    long size = resident(process);
    kill(process, SIGTERM);
    waitpid(process, NULL, 0);
    pthread_join(reader, NULL);

    long count = 0, expected = (long)duration * rate * receivers;
    int64_t *latencies = calloc(expected, sizeof *latencies);
    for (int i = 0; i < receivers; i++)
        for (int epoch = warm_up * rate; epoch < epochs; epoch++)
            if (all[i].received[epoch])
                latencies[count++] = all[i].received[epoch] - all[i].sent[epoch];
    qsort(latencies, count, sizeof *latencies, by_size);
    printf("%ld/%ld", count, expected);
    for (int i = 0; i < 3; i++) {
        static const int percents[] = {50, 90, 99};
        printf(" %.1f", count ? latencies[(count - 1) * percents[i] / 100] / 1e3 : -1);
    }
    printf(" %.3f %ld\n", load, size);
    return 0;
}
