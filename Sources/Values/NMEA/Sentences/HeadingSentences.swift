// SPDX-License-Identifier: MIT
import GNSS

/// Magnetic heading as measured by the sensor, with deviation and variation.
///
///     $--HDG,x.x,x.x,a,x.x,a*hh
///     $HCHDG,98.3,1.5,W,4.6,E*64
public struct HDG: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "HDG"

    /// The heading of the sensor in degrees from magnetic north, not corrected for the deviation.
    public var sensorHeading: Double?
    /// The deviation in degrees, positive to the east. Add it to the sensor heading to get the
    /// magnetic heading.
    public var deviation: Double?
    /// The variation in degrees, positive to the east. Add it to the magnetic heading to get the
    /// true heading.
    public var variation: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&sensorHeading)
        coder.decimal(&deviation, plus: "E", minus: "W", upTo: 180)
        coder.decimal(&variation, plus: "E", minus: "W", upTo: 180)
    }

    /// The heading in degrees from magnetic north. A missing deviation counts as 0.
    public var magneticHeading: Double? {
        sensorHeading.map { ($0 + (deviation ?? 0)).wrappedDegrees }
    }

    /// The heading in degrees true; `nil` without a variation.
    public var trueHeading: Double? {
        guard let magneticHeading, let variation else { return nil }
        return (magneticHeading + variation).wrappedDegrees
    }

    /// Sets the magnetic heading, and the true heading if no other sentence reports it.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(magneticHeading: magneticHeading, variation: variation)
    }
}
