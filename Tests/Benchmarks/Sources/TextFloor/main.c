// SPDX-License-Identifier: MIT
// The least that a program in C needs to write JSON, GPX or CSV of a recording: the values are known, and only their
// digits and the text are produced.
//
//     text-floor FILE      the seconds of processor time of the fastest of fifteen runs, to write the bytes of FILE
//
// FILE is divided into texts and numbers before the time is measured. Each number is a double that is written with
// the decimals that it has in FILE. Fails if the bytes are not those of FILE.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct part {
    double value;
    uint32_t text, count; // the text before the number
    int8_t decimals;      // -1 without a number
};

static char pairs[200];

static char *digits(char *end, uint64_t value)
{
    while (value >= 100) {
        end -= 2;
        memcpy(end, pairs + value % 100 * 2, 2);
        value /= 100;
    }
    if (value < 10) {
        *--end = (char)('0' + value);
        return end;
    }
    end -= 2;
    memcpy(end, pairs + value * 2, 2);
    return end;
}

static char *write_number(char *out, double value, int decimals)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    if (signbit(value)) *out++ = '-';
    // At least one digit before the point; no division but by 100.
    char buffer[64], *end = buffer + 40, *start = digits(end, (uint64_t)(fabs(value) * powers[decimals] + 0.5));
    while (end - start <= decimals) *--start = '0';
    size_t whole = (size_t)(end - start - decimals);
    memcpy(out, start, 16);
    out += whole;
    if (decimals == 0) return out;
    *out++ = '.';
    memcpy(out, start + whole, 16);
    return out + decimals;
}

static int is_digit(char byte) { return byte >= '0' && byte <= '9'; }

int main(int count, char **words)
{
    for (int i = 0; i < 100; i++) pairs[i * 2] = (char)('0' + i / 10), pairs[i * 2 + 1] = (char)('0' + i % 10);
    FILE *file = count > 1 ? fopen(words[1], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END) != 0) return fprintf(stderr, "usage: text-floor FILE\n"), 2;
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(size + 1), *out = malloc(size + 80);
    struct part *parts = malloc((size / 2 + 2) * sizeof *parts);
    if (!bytes || !out || !parts || fread(bytes, 1, size, file) != size) return perror(words[1]), 1;
    bytes[size] = 0;
    size_t number = 0, from = 0;
    for (size_t i = 0; i < size; i++) {
        // A number follows the colon of a member of JSON, a quote or tag of GPX, or a comma of CSV.
        if (!strchr(":\">,", bytes[i]) || i + 1 >= size || !(bytes[i + 1] == '-' || is_digit(bytes[i + 1]))) continue;
        if (bytes[i] == ':' && (i == 0 || bytes[i - 1] != '"')) continue; // of a time
        size_t start = i + 1, end = start + (bytes[start] == '-'), point = 0;
        while (is_digit(bytes[end]) || (bytes[end] == '.' && !point)) {
            if (bytes[end] == '.') point = end;
            end++;
        }
        struct part *part = &parts[number];
        *part = (struct part){strtod(bytes + start, NULL), (uint32_t)from, (uint32_t)(start - from),
            (int8_t)(point ? end - point - 1 : 0)};
        char test[80];
        // Numbers of more digits than a double has stay text.
        if (part->decimals > 12 || end - start > 17
            || (size_t)(write_number(test, part->value, part->decimals) - test) != end - start
            || memcmp(test, bytes + start, end - start) != 0)
            continue;
        number++;
        from = i = end;
    }
    parts[number++] = (struct part){0, (uint32_t)from, (uint32_t)(size - from), -1};
    double best = INFINITY;
    for (int run = 0; run < 15; run++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
        char *to = out;
        for (size_t i = 0; i < number; i++) {
            const struct part *part = &parts[i];
            memcpy(to, bytes + part->text, part->count);
            to += part->count;
            if (part->decimals >= 0) to = write_number(to, part->value, part->decimals);
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        if ((size_t)(to - out) != size || memcmp(out, bytes, size) != 0)
            return fprintf(stderr, "text-floor: the bytes differ\n"), 1;
        best = fmin(best, (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
    }
    printf("%.4f\n", best);
    return 0;
}
