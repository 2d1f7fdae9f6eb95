// SPDX-License-Identifier: MIT
public import GNSS

/// Pseudorange error statistics: the receiver's estimate of its position error.
///
///     $--GST,hhmmss.ss,x.x,x.x,x.x,x.x,x.x,x.x,x.x*hh
///     $GNGST,101520.00,12,1.9,1.3,21.0,1.8,1.4,3.1*54
public struct GST: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GST"
    /// All fields are required.
    public static let minimumFieldCount = 8

    /// The UTC time of the fix that the sentence describes.
    public var time: TimeOfDay?
    /// The root mean square of the range residuals in metres.
    public var rangeResidual: Double?
    /// The one-sigma error along the major axis of the error ellipse, in metres.
    public var semiMajor: Double?
    /// The one-sigma error along the minor axis of the error ellipse, in metres.
    public var semiMinor: Double?
    /// The direction of the major axis in degrees true.
    public var orientation: Double?
    /// The one-sigma error of the latitude in metres.
    public var latitudeError: Double?
    /// The one-sigma error of the longitude in metres.
    public var longitudeError: Double?
    /// The one-sigma error of the altitude in metres.
    public var altitudeError: Double?

    public init() {}

    // Specialised here, because other modules call the generic `init(_:)` 1.5 times as slowly.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

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
