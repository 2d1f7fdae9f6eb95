// SPDX-License-Identifier: MIT
public import GNSS

/// Pseudorange error statistics: the receiver's estimate of its position error.
///
///     $--GST,hhmmss.ss,x.x,x.x,x.x,x.x,x.x,x.x,x.x*hh
///     $GNGST,101520.00,12,1.9,1.3,21.0,1.8,1.4,3.1*54
public struct GST: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GST"
    /// Everything.
    public static let minimumFieldCount = 8

    /// UTC of the fix that it describes.
    public var time: TimeOfDay?
    /// Root mean square of the range residuals.
    public var rangeResidual: Double?
    /// Metres, one sigma, along the major axis of the error ellipse.
    public var semiMajor: Double?
    /// Metres, one sigma, along the minor axis.
    public var semiMinor: Double?
    /// Degrees true of the major axis.
    public var orientation: Double?
    /// Metres, one sigma.
    public var latitudeError: Double?
    /// Metres, one sigma.
    public var longitudeError: Double?
    /// Metres, one sigma.
    public var altitudeError: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.deviation(&rangeResidual)
        coder.deviation(&semiMajor)
        coder.deviation(&semiMinor)
        coder.decimal(&orientation)
        coder.deviation(&latitudeError)
        coder.deviation(&longitudeError)
        coder.deviation(&altitudeError)
    }

    public var timing: EpochTiming { .attaches(time) }

    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.standardDeviation.latitude, latitudeError)
        epoch.fill(\.standardDeviation.longitude, longitudeError)
        epoch.fill(\.standardDeviation.altitude, altitudeError)
        epoch.fill(\.standardDeviation.semiMajor, semiMajor)
        epoch.fill(\.standardDeviation.semiMinor, semiMinor)
        epoch.fill(\.standardDeviation.orientation, orientation)
        epoch.fill(\.standardDeviation.range, rangeResidual)
    }
}
