// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import GNSS
import GPSReceivers

/// The direction in which a vessel or vehicle points, in CoreLocation's conventions: a negative
/// number means that the value is unknown.
///
/// A compass, several antennas or an inertial unit measure it. It is sent as HDT, HDG, HDM, THS,
/// PASHR or in UBX. The direction of movement is the `course` of a `Location`. The CoreLocation
/// counterpart is `CLHeading`.
public struct Heading: Hashable, Codable, Sendable {
    /// The heading in degrees from true north, 0 up to 360; -1 if unknown.
    ///
    /// If the receiver sends only a magnetic heading and the magnetic variation, it is their sum.
    public let trueHeading: Double

    /// The heading in degrees from magnetic north, 0 up to 360; -1 if unknown.
    ///
    /// If the receiver sends only a true heading and the magnetic variation, it is their
    /// difference. In CoreLocation, the magnetic heading is never unknown.
    public let magneticHeading: Double

    /// The 68 % accuracy of the heading in degrees; -1 if unknown.
    ///
    /// Only PASHR, UBX-NAV-RELPOSNED and NAV-PVAT contain it. Unlike in CoreLocation, a heading
    /// without an accuracy is valid.
    public let headingAccuracy: Double

    /// The time of the measurement according to the receiver's clock; see
    /// `isTimestampFromSystemClock`.
    public let timestamp: Date

    /// Whether `timestamp` is the system's time when the bytes arrived, because the receiver does
    /// not send a date.
    public let isTimestampFromSystemClock: Bool

    /// The complete orientation, including pitch and roll. Values that the receiver did not send
    /// are `nil`.
    public let attitude: Attitude

    /// Whether the heading is live, recorded or simulated, and the name of its source.
    public internal(set) var sourceInformation: SourceInformation

    /// The device from which the heading was read, such as `/dev/ttyACM0`.
    public let device: String

    /// Creates a heading, for example for a test. Omitted values are unknown.
    ///
    /// By default, the heading counts as simulated. Without an `attitude`, an attitude is created
    /// from the other values.
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

    /// Creates the heading of an epoch, which need not have a position. Returns `nil` if the epoch
    /// has no heading.
    init?(_ epoch: ReceiverEpoch) {
        // This check comes first, because copying a fix is expensive and few fixes have a heading.
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
        return (heading + variation).wrappedDegrees
    }

    /// Returns the angle between two headings, from 0° to 180°: between the true headings if both
    /// are known, otherwise between the magnetic headings. Returns infinity if they cannot be
    /// compared.
    func angle(from last: Heading) -> Double {
        let pairs = [
            (trueHeading, last.trueHeading), (magneticHeading, last.magneticHeading),
        ]
        guard let (new, old) = pairs.first(where: { $0 >= 0 && $1 >= 0 }) else { return .infinity }
        let difference = abs(new - old).truncatingRemainder(dividingBy: 360)
        return min(difference, 360 - difference)
    }
}

extension Heading: CustomStringConvertible {
    /// The heading on one line: `2026-03-21T10:15:20Z 123.4° true, 119.3° magnetic, ±0.2°`.
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
