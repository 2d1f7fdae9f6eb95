// SPDX-License-Identifier: MIT
import GNSS
import RTCM
import UBX

/// The corrections that a solution uses.
package struct SolutionCorrections: Hashable, Sendable {
    /// Whether the ambiguities are fixed: centimetres instead of decimetres.
    package var isFixed: Bool
    /// The age of the last observations in seconds.
    package var age: Double
    /// The number of the reference station.
    package var station: Int
}

/// What a receiver with RTK does with the corrections that a program sends to it.
///
/// It needs a station's position and observations that can be used for RTK. Its solution is float
/// after ten seconds of them, and fixed after thirty. It becomes float when the last ones are more
/// than ten seconds old, and begins again when they are more than a minute old.
struct CorrectionEngine: Sendable {
    private static let floatAfter = 10.0
    private static let fixedAfter = 30.0
    private static let longestGap = 10.0
    private static let timeout = 60.0
    /// The position errors with corrections, as fractions of those without.
    private static let floatError = 0.1
    private static let fixedError = 0.005
    /// The largest error in metres that corrections remove. A false signal's is larger.
    private static let largestError = 50.0

    private var framer = CorrectionFramer()
    /// The number of the station, and when its position was received.
    private var station: (number: Int, seconds: Double)?
    /// When the current observations began, and the time of the last ones.
    private var observations: (first: Double, last: Double)?

    /// Passes bytes of a program to the receiver. Returns the messages in them.
    mutating func receive(_ bytes: [UInt8], at seconds: Double) -> [CorrectionMessage] {
        var messages: [CorrectionMessage] = []
        framer.push(bytes) { messages.append($0) }
        for message in messages {
            if let position = RTCMReferencePosition(message) {
                station = (position.station, seconds)
            } else if let head = RTCMObservationsHead(message), head.format >= 4 {
                let isNew = observations.map { seconds - $0.last > Self.longestGap } ?? true
                observations = (isNew ? seconds : observations?.first ?? seconds, seconds)
            }
        }
        return messages
    }

    /// Returns the frames that report the messages, as far as `isEnabled` returns `true` for them:
    /// `RXM-RTCM`, `RXM-COR`.
    static func reports(
        on messages: [CorrectionMessage], _ isEnabled: (UBXMessageID) -> Bool
    ) -> [UInt8] {
        messages.flatMap { message -> [UInt8] in
            guard case .rtcm(let type, let station) = message.kind else { return [] }
            let isUsed =
                message.content != .other && RTCMObservationsHead(message)?.format ?? 4 >= 4
            let number = UInt16(clamping: station ?? 0)
            var bytes: [UInt8] = []
            if isEnabled(RxmRTCM.id) {
                var report = RxmRTCM()
                (report.version, report.type) = (2, UInt16(clamping: type))
                report.flags = RxmRTCM.Flags(rawValue: isUsed ? 4 : 2)
                report.referenceStation = number
                bytes += report.frame
            }
            if isEnabled(RxmCOR.id) {
                var report = RxmCOR()
                (report.version, report.type) = (1, UInt16(clamping: type))
                // RTCM 3 without errors, from the host, with a type.
                let use: UInt32 = isUsed ? 2 : 1
                report.status = RxmCOR.Status(
                    rawValue: 1 | 1 << 5 | use << 7 | UInt32(number) << 9 | 1 << 25 | 1 << 27)
                bytes += report.frame
            }
            return bytes
        }
    }

    /// Forgets all corrections, as after a restart.
    mutating func reset() { self = CorrectionEngine() }

    private func corrections(at seconds: Double) -> SolutionCorrections? {
        guard let station, let observations, seconds - station.seconds <= Self.timeout,
            case let age = seconds - observations.last, age <= Self.timeout,
            case let steady = observations.last - observations.first, steady >= Self.floatAfter
        else { return nil }
        return SolutionCorrections(
            isFixed: steady >= Self.fixedAfter && age <= Self.longestGap, age: max(0, age),
            station: station.number)
    }

    /// Returns the observation with the solution that the corrections make of it.
    func corrected(_ observation: SimulatedObservation, at seconds: Double) -> SimulatedObservation
    {
        let truth = observation.truth.state
        guard var solution = observation.solution, let corrections = corrections(at: seconds),
            case let error = solution.coordinate.offset(from: truth.coordinate),
            error.distance < Self.largestError
        else { return observation }
        let factor = corrections.isFixed ? Self.fixedError : Self.floatError
        solution.coordinate = truth.coordinate.moved(
            north: error.north * factor, east: error.east * factor)
        solution.altitude = truth.altitude + (solution.altitude - truth.altitude) * factor
        solution.deviations.scale(by: factor)
        solution.corrections = corrections
        var observation = observation
        observation.solution = solution
        return observation
    }
}

extension Deviations {
    /// Multiplies all standard deviations by a factor.
    fileprivate mutating func scale(by factor: Double) {
        (range, east, north) = (range * factor, east * factor, north * factor)
        (semiMajor, semiMinor) = (semiMajor * factor, semiMinor * factor)
        up = up.map { $0 * factor }
    }
}
