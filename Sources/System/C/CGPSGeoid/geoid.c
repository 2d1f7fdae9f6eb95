// SPDX-License-Identifier: MIT
#include "geoid.h"

// The grid is embedded by C23's #embed, which clang also supports in older C. It is made by
// scripts/generate/geoid-grid.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char grid[91][181] = {
#embed "grid.bin"
};

int geoid_height(int row, int column) {
    if (row < 0 || row > 90 || column < 0 || column > 180) return 0;
    return (signed char)grid[row][column];
}
