// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

/// A drawing surface of cairo in sRGB colours.
typedef struct ccairo_sheet ccairo_sheet;

/// Loads cairo unless it is loaded. Call it before the first plot, because only plots need cairo.
///
/// Returns NULL on success, otherwise the name of the missing library or function. The
/// corresponding C function is `dlopen`.
const char *ccairo_missing(void);

/// Creates a white sheet, with its size in pixels; returns NULL if out of memory or without cairo.
ccairo_sheet *ccairo_begin(int width, int height);

/// Frees a sheet.
void ccairo_end(ccairo_sheet *sheet);

/// Begins a new line at a point in pixels from the top left. The corresponding C function is
/// `cairo_move_to`.
void ccairo_move(ccairo_sheet *sheet, double x, double y);

/// Continues the line to a point. The corresponding C function is `cairo_line_to`.
void ccairo_line(ccairo_sheet *sheet, double x, double y);

/// Adds a circle around a point, in pixels. The corresponding C function is `cairo_arc`.
void ccairo_circle(ccairo_sheet *sheet, double x, double y, double radius);

/// Sets the colour of the following drawing; components from 0 to 1.
void ccairo_color(ccairo_sheet *sheet, double red, double green, double blue, double opacity);

/// Draws the lines added so far with a width in pixels. Above 0, `dash` is the length of dashes in
/// pixels. The corresponding C function is `cairo_stroke`.
void ccairo_stroke(ccairo_sheet *sheet, double width, double dash);

/// Fills the area that the lines enclose. The corresponding C function is `cairo_fill`.
void ccairo_fill(ccairo_sheet *sheet);

/// Clips drawing to the area that the lines enclose, until `ccairo_unclip`. The corresponding C function is `cairo_clip`.
void ccairo_clip(ccairo_sheet *sheet);

/// Removes the clip.
void ccairo_unclip(ccairo_sheet *sheet);

/// Draws text whose base line has its start (`anchor` 0), middle (0.5) or end (1) at a point. If
/// `halo` is above 0, draws only the outline of the text, with that width in pixels. The
/// corresponding C function is `cairo_show_text`.
void ccairo_text(ccairo_sheet *sheet, const char *text, double x, double y, double size, int is_bold,
                 double anchor, double halo);

/// Encodes the sheet as PNG to `bytes`, which the caller frees.
///
/// Returns the number of bytes; 0 after an error. The corresponding C function is
/// `cairo_surface_write_to_png_stream`.
size_t ccairo_png(ccairo_sheet *sheet, unsigned char **bytes);
