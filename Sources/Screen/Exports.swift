// SPDX-License-Identifier: MIT

// Whatever is drawn is figures.
@_exported public import Figures
