// SPDX-License-Identifier: MIT

/// The factor by which the satellites' geometry multiplies a range error; unitless, smaller is better.
public struct DilutionOfPrecision: Hashable, Sendable {
    /// In the plane.
    public var hdop: Double?

    /// In height.
    public var vdop: Double?

    /// In space.
    public var pdop: Double?

    /// Creates dilutions; unknown values are omitted.
    public init(hdop: Double? = nil, vdop: Double? = nil, pdop: Double? = nil) {
        self.hdop = hdop
        self.vdop = vdop
        self.pdop = pdop
    }
}
