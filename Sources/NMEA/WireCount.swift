// SPDX-License-Identifier: MIT

/// A number of up to nine digits, or none at all, in four bytes.
struct WireCount: Hashable, Sendable {
    private let rawValue: Int32

    /// Takes a number; beyond 32 bits the nearest that fits.
    @inline(__always)
    init(_ value: Int?) {
        rawValue = value.map { Int32(clamping: max($0, -Int(Int32.max))) } ?? .min
    }

    /// The number.
    @inline(__always)
    var value: Int? { rawValue == .min ? nil : Int(rawValue) }
}
