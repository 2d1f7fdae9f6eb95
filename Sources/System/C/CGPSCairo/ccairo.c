// SPDX-License-Identifier: MIT
#include "ccairo.h"

#include <cairo/cairo.h>
#include <cloading.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The cairo functions in use. cairo is not linked: it depends on X11 and fonts, and the command would not
// start without it.
#define FUNCTIONS(X)                                                                                 \
    X(cairo_image_surface_create)                                                                    \
    X(cairo_surface_destroy)                                                                         \
    X(cairo_surface_status)                                                                          \
    X(cairo_surface_write_to_png_stream)                                                             \
    X(cairo_create)                                                                                  \
    X(cairo_destroy)                                                                                 \
    X(cairo_status)                                                                                  \
    X(cairo_save)                                                                                    \
    X(cairo_restore)                                                                                 \
    X(cairo_move_to)                                                                                 \
    X(cairo_line_to)                                                                                 \
    X(cairo_new_path)                                                                                \
    X(cairo_new_sub_path)                                                                            \
    X(cairo_arc)                                                                                     \
    X(cairo_set_source_rgba)                                                                         \
    X(cairo_set_line_width)                                                                          \
    X(cairo_set_line_join)                                                                           \
    X(cairo_set_line_cap)                                                                            \
    X(cairo_set_dash)                                                                                \
    X(cairo_stroke)                                                                                  \
    X(cairo_fill)                                                                                    \
    X(cairo_paint)                                                                                   \
    X(cairo_clip)                                                                                    \
    X(cairo_select_font_face)                                                                        \
    X(cairo_set_font_size)                                                                           \
    X(cairo_text_extents)                                                                            \
    X(cairo_text_path)                                                                               \
    X(cairo_show_text)

static struct {
#define DECLARE(name) __typeof__(&name) name;
    FUNCTIONS(DECLARE)
} call;

static const char *missing;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
#define ENTRY(name) CLOADING_FUNCTION(call, name, "libcairo.so.2"),
    static const struct cloading_function functions[] = {FUNCTIONS(ENTRY){0}};
    missing = cloading_load("libcairo.so.2", functions);
}

const char *ccairo_missing(void) {
    pthread_once(&once, load);
    return missing;
}

struct ccairo_sheet {
    cairo_surface_t *surface;
    cairo_t *cairo;
};

ccairo_sheet *ccairo_begin(int width, int height) {
    if (ccairo_missing()) return NULL;
    ccairo_sheet *sheet = malloc(sizeof *sheet);
    if (!sheet) return NULL;
    sheet->surface = call.cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    sheet->cairo = call.cairo_create(sheet->surface);
    if (call.cairo_status(sheet->cairo) != CAIRO_STATUS_SUCCESS) {
        ccairo_end(sheet);
        return NULL;
    }
    call.cairo_set_source_rgba(sheet->cairo, 1, 1, 1, 1);
    call.cairo_paint(sheet->cairo);
    call.cairo_set_line_join(sheet->cairo, CAIRO_LINE_JOIN_ROUND);
    return sheet;
}

void ccairo_end(ccairo_sheet *sheet) {
    call.cairo_destroy(sheet->cairo);
    call.cairo_surface_destroy(sheet->surface);
    free(sheet);
}

void ccairo_move(ccairo_sheet *sheet, double x, double y) {
    call.cairo_move_to(sheet->cairo, x, y);
}

void ccairo_line(ccairo_sheet *sheet, double x, double y) {
    call.cairo_line_to(sheet->cairo, x, y);
}

void ccairo_circle(ccairo_sheet *sheet, double x, double y, double radius) {
    call.cairo_new_sub_path(sheet->cairo);
    call.cairo_arc(sheet->cairo, x, y, radius, 0, 2 * M_PI);
}

void ccairo_color(ccairo_sheet *sheet, double red, double green, double blue, double opacity) {
    call.cairo_set_source_rgba(sheet->cairo, red, green, blue, opacity);
}

void ccairo_stroke(ccairo_sheet *sheet, double width, double dash) {
    call.cairo_set_line_width(sheet->cairo, width);
    call.cairo_set_line_cap(sheet->cairo, dash > 0 ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
    call.cairo_set_dash(sheet->cairo, &dash, dash > 0 ? 1 : 0, 0);
    call.cairo_stroke(sheet->cairo);
}

void ccairo_fill(ccairo_sheet *sheet) {
    call.cairo_fill(sheet->cairo);
}

void ccairo_clip(ccairo_sheet *sheet) {
    call.cairo_save(sheet->cairo);
    call.cairo_clip(sheet->cairo);
}

void ccairo_unclip(ccairo_sheet *sheet) {
    call.cairo_restore(sheet->cairo);
}

void ccairo_text(ccairo_sheet *sheet, const char *text, double x, double y, double size, int is_bold,
                 double anchor, double halo) {
    cairo_font_weight_t weight = is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL;
    call.cairo_select_font_face(sheet->cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, weight);
    call.cairo_set_font_size(sheet->cairo, size);
    cairo_text_extents_t extents;
    call.cairo_text_extents(sheet->cairo, text, &extents);
    call.cairo_new_path(sheet->cairo);
    call.cairo_move_to(sheet->cairo, x - anchor * extents.x_advance, y);
    if (halo > 0) {
        call.cairo_text_path(sheet->cairo, text);
        ccairo_stroke(sheet, halo, 0);
    } else {
        call.cairo_show_text(sheet->cairo, text);
    }
    call.cairo_new_path(sheet->cairo);
}

struct buffer {
    unsigned char *bytes;
    size_t count;
    size_t room;
};

static cairo_status_t append(void *closure, const unsigned char *data, unsigned int length) {
    struct buffer *buffer = closure;
    if (buffer->room - buffer->count < length) {
        size_t room = buffer->room * 2 + length;
        unsigned char *bytes = realloc(buffer->bytes, room);
        if (!bytes) return CAIRO_STATUS_NO_MEMORY;
        buffer->bytes = bytes;
        buffer->room = room;
    }
    memcpy(buffer->bytes + buffer->count, data, length);
    buffer->count += length;
    return CAIRO_STATUS_SUCCESS;
}

size_t ccairo_png(ccairo_sheet *sheet, unsigned char **bytes) {
    struct buffer buffer = {0};
    cairo_status_t status = call.cairo_status(sheet->cairo);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = call.cairo_surface_write_to_png_stream(sheet->surface, append, &buffer);
    }
    if (status != CAIRO_STATUS_SUCCESS) {
        free(buffer.bytes);
        return 0;
    }
    *bytes = buffer.bytes;
    return buffer.count;
}
