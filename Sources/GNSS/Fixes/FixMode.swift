// SPDX-License-Identifier: MIT

/// The dimensions of a fix; GSA field 2, gpsd's `mode`.
public enum FixMode: UInt8, Comparable, Hashable, Sendable {
    /// No position.
    case noFix = 1
    /// Position without a reliable altitude.
    case twoD = 2
    /// Position and altitude.
    case threeD = 3

    /// Orders from nothing to everything.
    public static func < (a: FixMode, b: FixMode) -> Bool { a.rawValue < b.rawValue }
}
