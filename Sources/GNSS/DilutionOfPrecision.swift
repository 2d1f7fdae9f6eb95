// SPDX-License-Identifier: MIT

/// What the satellites' geometry makes of a range error; unitless, smaller is better.
public struct DilutionOfPrecision: Hashable, Sendable {
    /// In the plane.
    public var hdop: Double?
    /// In height.
    public var vdop: Double?
    /// In space.
    public var pdop: Double?

    /// Makes dilutions; what is not known is left out.
    @inlinable
    public init(hdop: Double? = nil, vdop: Double? = nil, pdop: Double? = nil) {
        self.hdop = hdop
        self.vdop = vdop
        self.pdop = pdop
    }

    /// Takes what is newly known; silence never erases knowledge.
    @inlinable
    @inline(__always)
    package mutating func fill(_ other: DilutionOfPrecision) {
        hdop.fill(other.hdop)
        vdop.fill(other.vdop)
        pdop.fill(other.pdop)
    }
}
