// SPDX-License-Identifier: MIT

/// What a u-blox chip reports about itself.
struct UBloxChip: Hashable, Sendable {
    /// The firmware, as in MON-VER.
    var software = ""
    /// The generation, as in MON-VER.
    var hardware = ""
    /// The further lines of MON-VER.
    var extensions: [String] = []
    /// The number of bytes of its unique id; `nil` if it has none.
    var identityLength: Int?
    /// The number of frequency bands.
    var bandCount = 1
}
