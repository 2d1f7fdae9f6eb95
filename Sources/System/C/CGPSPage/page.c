// SPDX-License-Identifier: MIT
#include "page.h"

// The files are embedded by C23's #embed, which clang also supports in older C.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define HTML "text/html; charset=utf-8"
#define STYLE "text/css; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"
#define TEXT "text/plain; charset=utf-8"

static const unsigned char index_html[] = {
#embed "Packed/index.html.gz"
};
static const unsigned char page_css[] = {
#embed "Packed/page.css.gz"
};
static const unsigned char theme_js[] = {
#embed "Packed/theme.js.gz"
};
static const unsigned char app_js[] = {
#embed "Packed/app.js.gz"
};
static const unsigned char live_js[] = {
#embed "Packed/live.js.gz"
};
static const unsigned char figures_js[] = {
#embed "Packed/figures.js.gz"
};
static const unsigned char notations_js[] = {
#embed "Packed/notations.js.gz"
};
static const unsigned char status_js[] = {
#embed "Packed/status.js.gz"
};
static const unsigned char reports_js[] = {
#embed "Packed/reports.js.gz"
};
static const unsigned char navigation_js[] = {
#embed "Packed/navigation.js.gz"
};
static const unsigned char map_js[] = {
#embed "Packed/map.js.gz"
};
static const unsigned char sky_js[] = {
#embed "Packed/sky.js.gz"
};
static const unsigned char signals_js[] = {
#embed "Packed/signals.js.gz"
};
static const unsigned char satellites_js[] = {
#embed "Packed/satellites.js.gz"
};
static const unsigned char charts_js[] = {
#embed "Packed/charts.js.gz"
};
static const unsigned char scatter_js[] = {
#embed "Packed/scatter.js.gz"
};
static const unsigned char sentences_js[] = {
#embed "Packed/sentences.js.gz"
};
static const unsigned char favicon_svg[] = {
#embed "Packed/favicon.svg.gz"
};
static const unsigned char notices_txt[] = {
#embed "Packed/notices.txt.gz"
};
static const unsigned char land_bin[] = {
#embed "Packed/land.bin.gz"
};
static const unsigned char leaflet_js[] = {
#embed "Packed/leaflet.js.gz"
};
static const unsigned char leaflet_css[] = {
#embed "Packed/leaflet.css.gz"
};

static const struct page_file files[] = {
    {"/", HTML, index_html, sizeof index_html},
    {"/page.css", STYLE, page_css, sizeof page_css},
    {"/theme.js", SCRIPT, theme_js, sizeof theme_js},
    {"/app.js", SCRIPT, app_js, sizeof app_js},
    {"/live.js", SCRIPT, live_js, sizeof live_js},
    {"/figures.js", SCRIPT, figures_js, sizeof figures_js},
    {"/notations.js", SCRIPT, notations_js, sizeof notations_js},
    {"/status.js", SCRIPT, status_js, sizeof status_js},
    {"/reports.js", SCRIPT, reports_js, sizeof reports_js},
    {"/navigation.js", SCRIPT, navigation_js, sizeof navigation_js},
    {"/map.js", SCRIPT, map_js, sizeof map_js},
    {"/sky.js", SCRIPT, sky_js, sizeof sky_js},
    {"/signals.js", SCRIPT, signals_js, sizeof signals_js},
    {"/satellites.js", SCRIPT, satellites_js, sizeof satellites_js},
    {"/charts.js", SCRIPT, charts_js, sizeof charts_js},
    {"/scatter.js", SCRIPT, scatter_js, sizeof scatter_js},
    {"/sentences.js", SCRIPT, sentences_js, sizeof sentences_js},
    {"/favicon.svg", "image/svg+xml", favicon_svg, sizeof favicon_svg},
    {"/notices.txt", TEXT, notices_txt, sizeof notices_txt},
    {"/land.bin", "application/octet-stream", land_bin, sizeof land_bin},
    {"/leaflet.js", SCRIPT, leaflet_js, sizeof leaflet_js},
    {"/leaflet.css", STYLE, leaflet_css, sizeof leaflet_css},
};

const struct page_file *page_file(size_t index)
{
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
