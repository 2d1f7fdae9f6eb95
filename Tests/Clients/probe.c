/* SPDX-License-Identifier: MIT */
/* A program on libgps: prints three positions. cc -o probe probe.c -lgps; probe PORT */
#include <gps.h>
#include <math.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct gps_data_t data;
    int seen = 0;
    if (argc < 2 || gps_open("localhost", argv[1], &data) != 0)
        return 1;
    gps_stream(&data, WATCH_ENABLE | WATCH_JSON, NULL);
    while (seen < 3 && gps_waiting(&data, 60000000)) {
        data.set = 0;
        if (gps_read(&data, NULL, 0) < 0)
            return 2;
        if ((data.set & MODE_SET) && data.fix.mode >= MODE_2D && isfinite(data.fix.latitude)) {
            printf("%.9f %.9f\n", data.fix.latitude, data.fix.longitude);
            seen++;
        }
    }
    gps_close(&data);
    return seen == 3 ? 0 : 3;
}
