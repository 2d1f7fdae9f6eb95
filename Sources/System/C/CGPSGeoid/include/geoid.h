// SPDX-License-Identifier: MIT
#pragma once

/*
 * The height of the EGM96 geoid above the WGS 84 ellipsoid in metres, every two degrees. Row 0 is the south
 * pole, row 90 the north pole, column 0 is 180 degrees west, column 180 is 180 degrees east.
 */
int geoid_height(int row, int column);
