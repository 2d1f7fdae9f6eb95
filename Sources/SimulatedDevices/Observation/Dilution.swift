// SPDX-License-Identifier: MIT
public import GNSS

/// Dilutions of precision computed from the geometry of the used satellites; unitless.
public struct Dilution: Hashable, Sendable {
    /// In the plane.
    public var hdop: Double
    /// In height; `nil` in two dimensions.
    public var vdop: Double?
    /// In space; in two dimensions that in the plane.
    public var pdop: Double
    /// In time (of the first constellation's clock).
    public var tdop: Double
    /// In space and time.
    public var gdop: Double

    /// Makes dilutions.
    public init(hdop: Double, vdop: Double?, pdop: Double, tdop: Double, gdop: Double) {
        self.hdop = hdop
        self.vdop = vdop
        self.pdop = pdop
        self.tdop = tdop
        self.gdop = gdop
    }

    /// The three that receivers report.
    public var reported: DilutionOfPrecision {
        DilutionOfPrecision(hdop: hdop, vdop: vdop, pdop: pdop)
    }
}
