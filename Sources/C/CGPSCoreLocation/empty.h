// SPDX-License-Identifier: MIT
// Has nothing to declare.
