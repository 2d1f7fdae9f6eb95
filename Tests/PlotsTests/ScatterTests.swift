// SPDX-License-Identifier: MIT
import Plots
import Testing

struct ScatterTests {
}
