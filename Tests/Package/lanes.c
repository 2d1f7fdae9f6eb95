// SPDX-License-Identifier: MIT
// Compares the functions of CGPSLanes, which use vector instructions, with plain loops over bytes.
#include <stdio.h>
#include <string.h>
#include "lanes.h"

static uint32_t seed = 1;
static int failures;

static uint8_t random_byte(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 24;
}

static void check(const char *name, uint32_t found, uint32_t expected)
{
    if (found != expected && failures++ < 10)
        fprintf(stderr, "%s: %08x instead of %08x\n", name, found, expected);
}

int main(void)
{
    static const uint8_t edges[] = {0, 0x1F, 0x20, '!', '$', '&', '\'', ',', 0x7E, 0x7F, 0x80, 0xFF};

    for (int round = 0; round < 200000; round++) {
        uint8_t bytes[16], counts[16], count = round % 17, first[16] = {0}, result[16];
        uint32_t commas = 0, non_printable = 0, delimiters = 0, sum = 0;
        clanes_pair pair, counted;

        for (int i = 0; i < 16; i++) {
            uint8_t byte = random_byte();
            bytes[i] = byte & 1 ? edges[(byte >> 1) % sizeof edges] : random_byte();
            counts[i] = random_byte() % 255;
            uint8_t value = bytes[i];
            commas |= (uint32_t)(value == ',') << i;
            non_printable |= (uint32_t)(value < 0x20 || value >= 0x7F || value == '$' || value == '!') << i;
            delimiters |= (uint32_t)(value < 0x27 || value >= 0x7F) << i;
            sum += counts[i] + (value == ',');
            first[i] = i < count ? value : 0;
        }
        memcpy(&pair, bytes, 16);
        memcpy(&counted, counts, 16);
        check("commas", clanes_commas(pair), commas);
        check("non_printable", clanes_non_printable(pair), non_printable);
        check("delimiters", clanes_delimiters(pair), delimiters);
        check("count and sum", clanes_sum(clanes_count(counted, pair)), sum);
        pair = clanes_first(pair, count);
        memcpy(result, &pair, 16);
        check("first", memcmp(result, first, 16), 0);
    }
    return failures != 0;
}
