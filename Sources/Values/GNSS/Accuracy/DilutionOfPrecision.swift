// SPDX-License-Identifier: MIT

/// The factors by which the satellite geometry multiplies a range error. They are unitless; smaller
/// is better.
public struct DilutionOfPrecision: Hashable, Sendable {
    /// The horizontal dilution of precision.
    public var hdop: Double?

    /// The vertical dilution of precision.
    public var vdop: Double?

    /// The three-dimensional position dilution of precision.
    public var pdop: Double?

    /// Creates DOP values. Omitted values are unknown.
    public init(hdop: Double? = nil, vdop: Double? = nil, pdop: Double? = nil) {
        self.hdop = hdop
        self.vdop = vdop
        self.pdop = pdop
    }
}
