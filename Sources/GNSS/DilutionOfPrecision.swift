// SPDX-License-Identifier: MIT

/// What the satellites' geometry makes of a range error; unitless, smaller is better.
public struct DilutionOfPrecision: Hashable, Sendable {
    @usableFromInline var storedHDOP = Reading()
    @usableFromInline var storedVDOP = Reading()
    @usableFromInline var storedPDOP = Reading()

    /// Makes dilutions; what is not known is left out.
    @inlinable
    public init(hdop: Double? = nil, vdop: Double? = nil, pdop: Double? = nil) {
        storedHDOP.value = hdop
        storedVDOP.value = vdop
        storedPDOP.value = pdop
    }

    /// In the plane.
    @inlinable public var hdop: Double? {
        get { storedHDOP.value }
        set { storedHDOP.value = newValue }
    }

    /// In height.
    @inlinable public var vdop: Double? {
        get { storedVDOP.value }
        set { storedVDOP.value = newValue }
    }

    /// In space.
    @inlinable public var pdop: Double? {
        get { storedPDOP.value }
        set { storedPDOP.value = newValue }
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
