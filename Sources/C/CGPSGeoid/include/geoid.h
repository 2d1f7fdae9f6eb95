// SPDX-License-Identifier: MIT
#pragma once

/*
 * Metres by which the geoid of EGM96 lies above the ellipsoid of WGS 84, every two degrees: row 0 is the south
 * pole, row 90 the north pole, column 0 is 180 degrees west, column 180 is 180 degrees east.
 */
int geoid_height(int row, int column);
