// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import GNSS
import GPSReceivers

/// Where the bow points at one moment, in CoreLocation's terms: a value below zero means "not known".
///
/// It comes from a compass, several antennas or an inertial unit, by HDT, HDG, HDM, THS or PASHR; where
/// a receiver moves is the course of its `Location`. The CoreLocation counterpart is `CLHeading`.
public struct Heading: Hashable, Codable, Sendable {
    /// Degrees from true north, 0 up to 360; -1 if not known.
    ///
    /// As sent, else the magnetic heading plus the magnetic variation that was sent with it.
    public let trueHeading: Double

    /// Degrees from magnetic north, 0 up to 360; -1 if not known.
    ///
    /// As sent, else the true heading less the magnetic variation that was sent with it. CoreLocation
    /// always has one.
    public let magneticHeading: Double

    /// Degrees by which the heading may be off, with 68 % probability; -1 if not known.
    ///
    /// Only PASHR has it. A heading without it is valid all the same, other than in CoreLocation.
    public let headingAccuracy: Double

    /// When the heading was determined, by the receiver's clock; see `isTimestampFromSystemClock`.
    public let timestamp: Date

    /// Whether `timestamp` is when the bytes arrived, since the receiver has sent no date.
    public let isTimestampFromSystemClock: Bool

    /// Everything known about the orientation, pitch and roll included; what was not sent is `nil`.
    public let attitude: Attitude

    /// The origin and the source of the heading.
    public internal(set) var sourceInformation: SourceInformation

    /// The device that it was read from: `/dev/ttyACM0`.
    public let device: String

    /// Creates a heading, as for a test; what is left out is not known.
    ///
    /// Unless `sourceInformation` says otherwise it counts as simulated. Without an `attitude`, one is
    /// made of the other values.
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

    /// The heading of a fix, with or without a position; `nil` without one.
    init?(_ epoch: ReceiverEpoch) {
        // A fix is large, and few have a heading.
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

    /// Degrees turned since another heading, 0 to 180: from true to true if both are known, else from
    /// magnetic to magnetic; infinite if they cannot be compared.
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
