// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import GNSS
import GPSReceivers

/// The direction in which a vessel or vehicle points, in CoreLocation's terms: a negative value is
/// unknown.
///
/// Measured by a compass, several antennas or an inertial unit, and sent as HDT, HDG, HDM, THS or
/// PASHR. The direction of movement is the `course` of a `Location`. The CoreLocation counterpart
/// is `CLHeading`.
public struct Heading: Hashable, Codable, Sendable {
    /// Degrees from true north, 0 up to 360; -1 if unknown.
    ///
    /// As sent, or else the magnetic heading plus the magnetic variation sent with it.
    public let trueHeading: Double

    /// Degrees from magnetic north, 0 up to 360; -1 if unknown.
    ///
    /// As sent, or else the true heading minus the magnetic variation sent with it. CoreLocation
    /// always has a value.
    public let magneticHeading: Double

    /// The error of the heading in degrees, with 68 % probability; -1 if unknown.
    ///
    /// Only PASHR has it. Unlike in CoreLocation, a heading without it is valid.
    public let headingAccuracy: Double

    /// The time of the measurement by the receiver's clock; see `isTimestampFromSystemClock`.
    public let timestamp: Date

    /// Whether `timestamp` is the arrival time of the bytes, since the receiver has sent no date.
    public let isTimestampFromSystemClock: Bool

    /// The complete orientation, including pitch and roll; values that were not sent are `nil`.
    public let attitude: Attitude

    /// The origin and the source of the heading.
    public internal(set) var sourceInformation: SourceInformation

    /// The device that it was read from: `/dev/ttyACM0`.
    public let device: String

    /// Creates a heading, for example for a test. Values that are left out are unknown.
    ///
    /// By default it counts as simulated. Without an `attitude`, one is created from the other
    /// values.
    public init(
        trueHeading: Double = -1, magneticHeading: Double = -1, headingAccuracy: Double = -1,
        timestamp: Date, isTimestampFromSystemClock: Bool = false, attitude: Attitude? = nil,
        sourceInformation: SourceInformation = SourceInformation(origin: .simulated),
        device: String = ""
    ) {
        self.trueHeading = trueHeading
        self.magneticHeading = magneticHeading
        self.headingAccuracy = headingAccuracy
        self.timestamp = timestamp
        self.isTimestampFromSystemClock = isTimestampFromSystemClock
        var implied = Attitude()
        if trueHeading >= 0 { implied.heading = trueHeading }
        if magneticHeading >= 0 { implied.magneticHeading = magneticHeading }
        if headingAccuracy >= 0 { implied.headingAccuracy = headingAccuracy }
        self.attitude = attitude ?? implied
        self.sourceInformation = sourceInformation
        self.device = device
    }

    /// Creates the heading of a fix, with or without a position; `nil` if the fix has no heading.
    init?(_ epoch: ReceiverEpoch) {
        // Check first, since copying a fix is expensive and few have a heading.
        guard epoch.fix.attitude.hasHeading else { return nil }
        let (attitude, variation) = (epoch.fix.attitude, epoch.fix.magneticVariation)
        self.init(
            trueHeading: attitude.heading
                ?? Self.sum(attitude.magneticHeading, variation) ?? -1,
            magneticHeading: attitude.magneticHeading
                ?? Self.sum(attitude.heading, variation.map { -$0 }) ?? -1,
            headingAccuracy: attitude.headingAccuracy ?? -1,
            timestamp: epoch.timestamp, isTimestampFromSystemClock: epoch.fix.time == nil,
            attitude: attitude, sourceInformation: epoch.sourceInformation, device: epoch.device)
    }

    private static func sum(_ heading: Double?, _ variation: Double?) -> Double? {
        guard let heading, let variation else { return nil }
        let rest = (heading + variation).truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }

    /// Returns the angle to another heading, 0° to 180°: between the true headings if both are
    /// known, else between the magnetic ones; infinite if they cannot be compared.
    func turn(from last: Heading) -> Double {
        let pairs = [
            (trueHeading, last.trueHeading), (magneticHeading, last.magneticHeading),
        ]
        guard let (new, old) = pairs.first(where: { $0 >= 0 && $1 >= 0 }) else { return .infinity }
        let turn = abs(new - old).truncatingRemainder(dividingBy: 360)
        return min(turn, 360 - turn)
    }
}

extension Heading: CustomStringConvertible {
    /// One line: `2026-03-21T10:15:20Z 123.4° true, 119.3° magnetic, ±0.2°`.
    public var description: String {
        var parts: [String] = []
        if trueHeading >= 0 { parts.append("\(trueHeading.rounded(1))° true") }
        if magneticHeading >= 0 { parts.append("\(magneticHeading.rounded(1))° magnetic") }
        if headingAccuracy >= 0 { parts.append("±\(headingAccuracy.rounded(1))°") }
        let origin = sourceInformation.origin
        return "\(timestamp.formatted(.iso8601)) \(parts.joined(separator: ", "))"
            + (origin == .live ? "" : " (\(origin))")
    }
}
