// SPDX-License-Identifier: MIT

/// The dimensions of a fix, as in GSA field 2 and gpsd's `mode`.
public enum FixMode: UInt8, Comparable, Hashable, Sendable {
    /// No position.
    case noFix = 1
    /// A position without a reliable altitude.
    case twoD = 2
    /// A position with an altitude.
    case threeD = 3

    /// Orders modes from no fix to 3D.
    public static func < (a: FixMode, b: FixMode) -> Bool { a.rawValue < b.rawValue }
}
