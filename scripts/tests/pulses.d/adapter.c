// SPDX-License-Identifier: MIT
/* A virtual USB serial adapter with modem lines, and a receiver with a time pulse behind it. It is plugged into the
 * kernel's virtual host controller (vhci_hcd) by the protocol of USB/IP (Documentation/usb/usbip_protocol.rst).
 *   adapter DRIVER LINE normal|inverted EDGES [OFFSET [missing|late]]
 * LINE is cts, dsr, dcd, ri, or none. During a pulse, a normal line is asserted and an inverted one is not. OFFSET is
 * the system's clock minus the receiver's time, in seconds. Each edge is written to EDGES: its CLOCK_REALTIME in
 * nanoseconds, 1 for the leading or 0 for the trailing edge, and the pulse's second by the receiver. One pulse of ten
 * is missing, or late by 20 ms, on request. SIGUSR1 stops the pulses, or starts them again. The adapter is plugged in
 * until this program ends. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CTS = 1, DSR = 2, DCD = 4, RI = 8 };
enum kind { PL2303, FTDI, CP210X, CDC_ACM, CH341 };

static const int64_t second = 1000000000, pulse_length = 100000000, lateness = 20000000,
                     burst_delay = 150000000;
/* The receiver's UART needs 10 bits for a byte, at 9600 baud. The adapter passes bytes on in packets of this size, or
 * when no more follow. */
static const int64_t byte_time = 10 * 1000000000LL / 9600;
enum { PACKET = 32 };
/* FTDI's chips send their status this often, even if nothing changes. */
static const int64_t status_interval = 16000000;

/* A vendor's interface with bulk endpoints and, except for the last two, one for interrupts, which reports changes. */
#define VENDOR(size, endpoints) 9, 2, size, 0, 1, 1, 0, 0x80, 50, 9, 4, 0, 0, endpoints, 0xff, 0, 0, 0
#define BULK(address) 7, 5, address, 2, 64, 0, 0
#define INTERRUPT(address, size) 7, 5, address, 3, size, 0, 1

static const uint8_t pl2303[] = {VENDOR(39, 3), INTERRUPT(0x81, 10), BULK(0x02), BULK(0x83)};
static const uint8_t ch341[] = {VENDOR(39, 3), BULK(0x82), BULK(0x02), INTERRUPT(0x81, 8)};
static const uint8_t ftdi[] = {VENDOR(32, 2), BULK(0x81), BULK(0x02)};
static const uint8_t cp210x[] = {VENDOR(32, 2), BULK(0x82), BULK(0x01)};
static const uint8_t cdc_acm[] = {
    9, 2, 67, 0, 2, 1, 0, 0x80, 50,
    9, 4, 0, 0, 1, 2, 2, 1, 0,
    5, 0x24, 0, 0x10, 0x01,    /* header */
    5, 0x24, 1, 0, 1,          /* call management */
    4, 0x24, 2, 2,             /* capabilities: line coding and serial state */
    5, 0x24, 6, 0, 1,          /* union of both interfaces */
    INTERRUPT(0x83, 16),
    9, 4, 1, 0, 2, 10, 0, 0, 0,
    BULK(0x81), BULK(0x02),
};

static const struct model {
    const char *driver;
    enum kind kind;
    uint16_t vendor, product, release;
    uint8_t class;
    const uint8_t *configuration;
    unsigned in, interrupt; /* endpoints; interrupt 0: none */
    uint8_t bits[9];        /* the flags of CTS, DSR, DCD and RI, at the index of the line */
} models[] = {
    {"pl2303", PL2303, 0x067b, 0x2303, 0x0300, 0, pl2303, 3, 1, {[CTS] = 0x80, [DSR] = 2, [DCD] = 1, [RI] = 8}},
    {"ftdi_sio", FTDI, 0x0403, 0x6001, 0x0600, 0, ftdi, 1, 0, {[CTS] = 16, [DSR] = 32, [DCD] = 128, [RI] = 64}},
    {"cp210x", CP210X, 0x10c4, 0xea60, 0x0100, 0, cp210x, 2, 0, {[CTS] = 16, [DSR] = 32, [DCD] = 128, [RI] = 64}},
    {"cdc_acm", CDC_ACM, 0x1a86, 0x55d3, 0x0100, 2, cdc_acm, 1, 3, {[DSR] = 2, [DCD] = 1, [RI] = 8}},
    {"ch341", CH341, 0x1a86, 0x7523, 0x0263, 0xff, ch341, 2, 1, {[CTS] = 1, [DSR] = 2, [DCD] = 8, [RI] = 4}},
};

/* Messages of USB/IP, in network order. */
enum { SUBMIT = 1, UNLINK = 2, SUBMITTED = 3, UNLINKED = 4 };

struct message {
    uint32_t command, number, device, is_in, endpoint;
    union {
        struct {
            uint32_t flags, length, frame, packets, interval;
            uint8_t setup[8];
        } submit;
        struct {
            uint32_t status, length, frame, packets, errors, unused[2];
        } reply;
        struct {
            uint32_t number, unused[6];
        } unlink;
    };
};

/* Requests of the host for data, in order. */
struct queue {
    struct request {
        uint32_t number, length;
    } requests[64];
    unsigned count;
};

static const struct model *model;
static int host;
static unsigned line;      /* with pulses; 0: none */
static unsigned levels;    /* the lines that are asserted */
static bool is_inverted, has_change = true; /* the host does not know the levels at first */
static struct queue data_queue, change_queue;
static uint8_t buffer[4096]; /* what the receiver has sent */
static unsigned buffered, burst_size; /* the burst is at the buffer's end */
static int64_t burst_start;
static uint8_t line_coding[7] = {0x80, 0x25, 0, 0, 0, 0, 8};
static int64_t last_status;
static volatile sig_atomic_t are_pulses_stopped;

static void fail(const char *text)
{
    perror(text);
    exit(1);
}

static int64_t clock_time(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return now.tv_sec * second + now.tv_nsec;
}

/* The host. */

static void receive(void *bytes, size_t count)
{
    if (count > 0 && recv(host, bytes, count, MSG_WAITALL) != (ssize_t)count)
        exit(0); /* the controller has unplugged the adapter */
}

static void reply(uint32_t command, uint32_t number, int status, const void *bytes, unsigned count, unsigned length)
{
    uint8_t packet[sizeof(struct message) + sizeof buffer];
    struct message message = {.command = htonl(command), .number = htonl(number)};

    message.reply.status = htonl((uint32_t)status);
    message.reply.length = htonl(length);
    memcpy(packet, &message, sizeof message);
    if (count > 0)
        memcpy(packet + sizeof message, bytes, count);
    if (send(host, packet, sizeof message + count, MSG_NOSIGNAL) < 0)
        exit(0);
}

static bool cancel(struct queue *queue, uint32_t number)
{
    for (unsigned i = 0; i < queue->count; i++)
        if (queue->requests[i].number == number) {
            memmove(queue->requests + i, queue->requests + i + 1, (--queue->count - i) * sizeof *queue->requests);
            return true;
        }
    return false;
}

/* Answers the first request of a queue. */
static void answer(struct queue *queue, const void *bytes, unsigned count)
{
    struct request request = queue->requests[0];

    if (count > request.length)
        count = request.length;
    cancel(queue, request.number);
    reply(SUBMITTED, request.number, 0, bytes, count, count);
}

/* The lines. */

/* The flags of the lines, as the adapter's messages have them. */
static uint8_t flags(void)
{
    uint8_t result = 0;

    for (unsigned i = CTS; i <= RI; i *= 2)
        if ((levels & i) != 0)
            result |= model->bits[i];
    return result;
}

static void send_change(void)
{
    uint8_t packet[10] = {0};
    unsigned size = sizeof packet;

    switch (model->kind) {
    case PL2303: packet[8] = flags(); break;
    case CH341: packet[2] = (uint8_t)~flags(); size = 8; break;
    case CDC_ACM: memcpy(packet, (uint8_t[]){0xa1, 0x20, 0, 0, 0, 0, 2, 0, flags(), 0}, 10); break;
    default: return;
    }
    answer(&change_queue, packet, size);
}

/* Returns how many bytes of the burst have arrived. */
static unsigned arrived(int64_t now)
{
    int64_t bytes = (now - burst_start) / byte_time;

    return bytes < burst_size ? (unsigned)bytes : burst_size;
}

/* Answers the host's requests if there is something to say. */
static void deliver(int64_t now)
{
    uint8_t packet[64] = {0};
    unsigned count = 0;

    if (model->interrupt != 0 && has_change && change_queue.count > 0) {
        has_change = false;
        send_change();
    }
    while (data_queue.count > 0) {
        unsigned ready = buffered + arrived(now) - burst_size;
        bool is_due = model->kind == FTDI && (has_change || now >= last_status + status_interval);
        if (!is_due && (ready == 0 || (ready < PACKET && arrived(now) < burst_size)))
            return;
        count = 0;
        if (model->kind == FTDI) {
            packet[count++] = flags() | 1;
            packet[count++] = 0x60;
            has_change = false;
            last_status = now;
        }
        unsigned room = sizeof packet - count, taken = ready < room ? ready : room;
        memcpy(packet + count, buffer, taken);
        memmove(buffer, buffer + taken, buffered -= taken);
        answer(&data_queue, packet, count + taken);
    }
}

/* Control requests. */

static int descriptor(unsigned type, unsigned index, uint8_t *out)
{
    static const char *const names[] = {"", "gpsbridge", "Serial adapter"};
    const uint8_t device[] = {
        18, 1, 0x10, 0x01, model->class, 0, 0, 64, model->vendor & 255, model->vendor >> 8,
        model->product & 255, model->product >> 8, model->release & 255, model->release >> 8, 1, 2, 0, 1,
    };

    switch (type) {
    case 1: memcpy(out, device, sizeof device); return sizeof device;
    case 2: memcpy(out, model->configuration, model->configuration[2]); return model->configuration[2];
    case 3:
        if (index > 2)
            return -1;
        out[0] = 2;
        out[1] = 3;
        if (index == 0) { /* the language: US English */
            memcpy(out, (uint8_t[]){4, 3, 0x09, 0x04}, 4);
            return 4;
        }
        for (const char *name = names[index]; *name != '\0'; name++, out[0] += 2) {
            out[out[0]] = (uint8_t)*name;
            out[out[0] + 1] = 0;
        }
        return out[0];
    default: return -1;
    }
}

/* Writes the answer to a request for data, at most 64 bytes. Returns its size, or -1 to refuse. */
static int control_in(const uint8_t setup[8], uint8_t *out)
{
    unsigned request = setup[0] << 8 | setup[1];

    memset(out, 0, 64);
    if (request == 0x8006)
        return descriptor(setup[3], setup[2], out);
    if (request == 0x8000 || request == 0x8100 || request == 0x8200)
        return 2; /* the status of device, interface or endpoint */
    switch (model->kind) {
    case PL2303:
    case CDC_ACM:
        if (request == 0xa121) {
            memcpy(out, line_coding, 7);
            return 7;
        }
        return request == 0xc001 ? 1 : -1; /* a vendor's register */
    case FTDI:
        if (request == 0xc005) { /* modem status */
            out[0] = flags() | 1;
            out[1] = 0x60;
            return 2;
        }
        out[0] = request == 0xc00a ? 16 : 0; /* the latency timer; EEPROM: empty */
        return request == 0xc00a ? 1 : request == 0xc090 ? 2 : -1;
    case CP210X:
        switch (setup[1]) {
        case 0xff: out[0] = 2; return 1;               /* part number: CP2102 */
        case 0x04: out[1] = 8; return 2;               /* line control: 8 data bits */
        case 0x08: out[0] = flags() | 3; return 1;     /* modem status */
        case 0x10: return 19;                          /* communication status */
        case 0x14: return 16;                          /* flow control */
        case 0x1d: memcpy(out, line_coding, 4); return 4;
        default: return -1;
        }
    case CH341:
        out[0] = setup[1] == 0x5f ? 0x31 : (uint8_t)~flags(); /* version, registers */
        return setup[1] == 0x5f || setup[1] == 0x95 ? 2 : -1;
    }
    return -1;
}

/* Processes one message of the host. */
static void serve(void)
{
    struct message message;
    uint8_t bytes[4096];

    receive(&message, sizeof message);
    uint32_t number = ntohl(message.number);
    if (ntohl(message.command) == UNLINK) {
        uint32_t other = ntohl(message.unlink.number);
        bool was_waiting = cancel(&data_queue, other) || cancel(&change_queue, other);
        reply(UNLINKED, number, was_waiting ? -ECONNRESET : 0, NULL, 0, 0);
        return;
    }
    unsigned endpoint = ntohl(message.endpoint), length = ntohl(message.submit.length);
    bool is_in = ntohl(message.is_in) != 0;
    if (!is_in) {
        if (length > sizeof bytes)
            exit(1);
        receive(bytes, length);
    }
    if (endpoint == 0 && is_in) {
        uint8_t out[256];
        int size = control_in(message.submit.setup, out);
        unsigned count = size < 0 ? 0 : (unsigned)size < length ? (unsigned)size : length;
        reply(SUBMITTED, number, size < 0 ? -EPIPE : 0, out, count, count);
    } else if (!is_in) {
        /* Settings are accepted, and written bytes are lost. */
        if (endpoint == 0 && message.submit.setup[1] == 0x20 && length == 7)
            memcpy(line_coding, bytes, 7);
        reply(SUBMITTED, number, 0, NULL, 0, length);
    } else {
        struct queue *queue = endpoint == model->in ? &data_queue : &change_queue;
        if (queue->count < sizeof queue->requests / sizeof *queue->requests)
            queue->requests[queue->count++] = (struct request){number, length};
    }
}

/* The receiver. */

__attribute__((format(printf, 1, 2))) static void sentence(const char *format, ...)
{
    char text[100];
    uint8_t sum = 0;
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (const char *byte = text; *byte != '\0'; byte++)
        sum ^= (uint8_t)*byte;
    if (buffered + 110 > sizeof buffer)
        return; /* nothing reads them */
    buffered += (unsigned)sprintf((char *)buffer + buffered, "$%s*%02X\r\n", text, sum);
}

/* Sends the sentences of a second of Unix time. */
static void send_burst(time_t time)
{
    struct tm utc;
    char clock[12], date[8];

    unsigned before = buffered;

    gmtime_r(&time, &utc);
    strftime(clock, sizeof clock, "%H%M%S.00", &utc);
    strftime(date, sizeof date, "%d%m%y", &utc);
    sentence("GPRMC,%s,A,4812.50000,N,01622.42000,E,0.012,,%s,,,A", clock, date);
    sentence("GPGGA,%s,4812.50000,N,01622.42000,E,1,08,1.04,171.3,M,42.8,M,,", clock);
    sentence("GPGSA,A,3,02,05,07,09,13,16,26,30,,,,,1.92,1.04,1.61");
    sentence("GPZDA,%s,%02d,%02d,%04d,00,00", clock, utc.tm_mday, utc.tm_mon + 1, utc.tm_year + 1900);
    burst_size = buffered - before;
    burst_start = clock_time(CLOCK_MONOTONIC_RAW);
}

/* Sets the line during and after a pulse, and writes the time to a file. */
static void set_pulse(bool is_on, time_t time, int edges)
{
    char text[60];

    if (are_pulses_stopped && is_on)
        return;
    levels = is_on != is_inverted ? levels | line : levels & ~line;
    has_change = true;
    int64_t now = clock_time(CLOCK_REALTIME);
    deliver(clock_time(CLOCK_MONOTONIC_RAW));
    int size = snprintf(text, sizeof text, "%lld %d %lld\n", (long long)now, is_on, (long long)time);
    if (write(edges, text, (size_t)size) != size)
        fail("edges");
}

static void stop_pulses(int number)
{
    (void)number;
    are_pulses_stopped = !are_pulses_stopped;
}

static void plug_in(void)
{
    int ends[2], controller = open("/sys/devices/platform/vhci_hcd.0/attach", O_WRONLY | O_CLOEXEC);
    char text[40];

    if (controller < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        fail("vhci_hcd");
    int size = snprintf(text, sizeof text, "0 %d %d 2", ends[1], 0x10002); /* port, socket, id, full speed */
    if (write(controller, text, (size_t)size) != size)
        fail("attach");
    close(controller);
    close(ends[1]);
    host = ends[0];
}

int main(int count, char **arguments)
{
    static const char *const names[] = {[CTS] = "cts", [DSR] = "dsr", [DCD] = "dcd", [RI] = "ri"};
    struct sched_param priority = {.sched_priority = 50};

    if (count < 5)
        return 2;
    for (unsigned i = 0; i < sizeof models / sizeof *models; i++)
        if (strcmp(models[i].driver, arguments[1]) == 0)
            model = models + i;
    for (unsigned i = CTS; i <= RI; i *= 2)
        if (strcmp(names[i], arguments[2]) == 0)
            line = i;
    is_inverted = strcmp(arguments[3], "inverted") == 0;
    levels = is_inverted ? line : 0;
    int edges = open(arguments[4], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (model == NULL || edges < 0)
        return 2;
    int64_t offset = (int64_t)(count > 5 ? strtod(arguments[5], NULL) * 1e9 : 0);
    bool is_late = count > 6 && arguments[6][0] == 'l', is_missing = count > 6 && arguments[6][0] == 'm';
    signal(SIGUSR1, stop_pulses);
    /* A device is not delayed by programs. */
    sched_setscheduler(0, SCHED_FIFO, &priority);
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    plug_in();

    /* The receiver's time is that of the raw clock, which neither a step nor a daemon that disciplines the system's
     * clock changes. */
    int64_t monotonic = clock_time(CLOCK_MONOTONIC_RAW);
    int64_t difference = clock_time(CLOCK_REALTIME) - offset - monotonic;
    int64_t next = monotonic + second - (monotonic + difference) % second;
    int phase = 0; /* of the second: a pulse, its end, or the sentences are next */
    for (;;) {
        int64_t now = clock_time(CLOCK_MONOTONIC_RAW);
        time_t time = (next + difference) / second;
        bool is_bad = time % 10 == 7;
        int64_t due = next + (phase == 2 ? burst_delay : phase * pulse_length + (is_bad && is_late ? lateness : 0));
        if (now >= due) {
            if (phase < 2 && line != 0 && !(is_bad && is_missing))
                set_pulse(phase == 0, time, edges);
            if (phase == 2) {
                send_burst(time);
                next += second;
            }
            phase = (phase + 1) % 3;
            continue;
        }
        deliver(now);
        if (model->kind == FTDI && data_queue.count > 0 && last_status + status_interval < due)
            due = last_status + status_interval;
        if (data_queue.count > 0 && arrived(now) < burst_size) {
            unsigned ready = buffered + arrived(now) - burst_size, missing = ready < PACKET ? PACKET - ready : 1;
            unsigned enough = arrived(now) + missing < burst_size ? arrived(now) + missing : burst_size;
            if (burst_start + enough * byte_time < due)
                due = burst_start + enough * byte_time;
        }
        int64_t wait = due > now ? due - now : 0;
        struct timespec left = {wait / second, wait % second};
        struct pollfd requests = {.fd = host, .events = POLLIN};
        if (ppoll(&requests, 1, &left, NULL) > 0)
            serve();
    }
}
