// SPDX-License-Identifier: MIT
import GNSS

/// True wind as if the vessel were stationary. Older instruments send it instead of MWV.
///
///     $--VWT,x.x,a,x.x,N,x.x,M,x.x,K*hh
///     $WIVWT,30.8,L,4.3,N,2.2,M,8.0,K*7B
public struct VWT: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "VWT"
    /// All fields up to the speed in knots are required.
    public static let minimumFieldCount = 3

    /// The wind angle in degrees from the bow, positive to starboard, negative to port.
    public var signedAngle: Double?
    /// The wind speed in knots.
    public var speedKnots: Double?
    /// The wind speed in metres per second.
    public var speedMetresPerSecond: Double?
    /// The wind speed in kilometres per hour.
    public var speedKilometresPerHour: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.wind(
            &signedAngle, knots: &speedKnots, metresPerSecond: &speedMetresPerSecond,
            kilometresPerHour: &speedKilometresPerHour)
    }

    /// Sets the true wind.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(.trueWindAngle, angle)
        epoch.fill(trueWindSpeed: speed, isFromMWD: false)
    }

    /// The wind angle in degrees clockwise from the bow, 0 up to 360, as in MWV.
    public var angle: Double? { signedAngle?.wrappedDegrees }

    /// The wind speed in metres per second, calculated from the first unit that is present. Knots
    /// come first, because instruments send them with more digits.
    public var speed: Double? {
        Knots.metresPerSecond(speedKnots) ?? speedMetresPerSecond
            ?? Knots.metresPerSecond(kilometresPerHour: speedKilometresPerHour)
    }
}
