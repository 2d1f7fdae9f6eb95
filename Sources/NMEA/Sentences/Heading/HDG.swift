// SPDX-License-Identifier: MIT
import GNSS

/// Magnetic heading as the sensor has it, with deviation and variation.
///
///     $--HDG,x.x,x.x,a,x.x,a*hh
///     $HCHDG,98.3,1.5,W,4.6,E*64
public struct HDG: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "HDG"

    /// Degrees from magnetic north, the deviation not taken off.
    public var sensorHeading: Double?
    /// Degrees, east positive: magnetic is sensor plus deviation.
    public var deviation: Double?
    /// Degrees, east positive: true is magnetic plus variation.
    public var variation: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&sensorHeading)
        coder.decimal(&deviation, plus: "E", minus: "W")
        coder.decimal(&variation, plus: "E", minus: "W")
    }

    /// Degrees from magnetic north; a deviation that is not reported counts as none.
    public var magneticHeading: Double? {
        sensorHeading.map { ($0 + (deviation ?? 0)).wrappedDegrees }
    }

    /// Degrees true; `nil` without a variation.
    public var trueHeading: Double? {
        guard let magneticHeading, let variation else { return nil }
        return (magneticHeading + variation).wrappedDegrees
    }

    /// The magnetic heading, and the true one where no other sentence has it.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(magneticHeading: magneticHeading, variation: variation)
    }
}
