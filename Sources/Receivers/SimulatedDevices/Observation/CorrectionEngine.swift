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
    /// The vector from the base's antenna; `nil` if it is not known.
    package var baseline: Baseline?

    /// The vector from a base's antenna to the receiver's, in metres, and the standard deviations.
    package struct Baseline: Hashable, Sendable {
        package var north, east, down: Double
        var northDeviation, eastDeviation, downDeviation: Double
        package var isBaseMoving: Bool
    }
}

/// What a receiver with RTK does with the corrections that a program sends to it.
///
/// It needs a station's position and observations that can be used for RTK. Its solution is float
/// after ten seconds of them, and fixed after thirty. It becomes float when the last ones are more
/// than ten seconds old, and begins again when they are more than a minute old.
///
/// A moving base gives it the exact vector from the base's antenna at the base's last epoch. The position
/// itself does not get better by it.
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
    /// The position of the station, and when it was received.
    private var station: (position: Vector, seconds: Double)?
    /// When a moving base was at the station's position, in milliseconds of the GPS week; `nil` for
    /// a base that stays where it is.
    private var epochOfBase: Int?
    /// When the current observations began, the time of the last ones, and the number of their
    /// station.
    private var observations: (first: Double, last: Double, station: Int)?

    /// Passes bytes of a program to the receiver. Returns the messages in them.
    mutating func receive(_ bytes: [UInt8], at seconds: Double) -> [CorrectionMessage] {
        var messages: [CorrectionMessage] = []
        framer.push(bytes) { messages.append($0) }
        for message in messages {
            if let position = RTCMReferencePosition(message) {
                (station, epochOfBase) = ((position.position, seconds), nil)
            } else if let base = MovingBasePosition(message) {
                (station, epochOfBase) = ((base.position, seconds), base.milliseconds)
            } else if let head = RTCMObservationsHead(message), head.format >= 4 {
                let isNew = observations.map { seconds - $0.last > Self.longestGap } ?? true
                let first = isNew ? seconds : observations?.first ?? seconds
                observations = (first, seconds, head.station)
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
                let rest: UInt32 = 1 | 1 << 5 | 1 << 25 | 1 << 27
                let use: UInt32 = isUsed ? 2 : 1
                report.status = RxmCOR.Status(rawValue: rest | use << 7 | UInt32(number) << 9)
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
            station: observations.station)
    }

    /// Returns the observation with the solution that the corrections make of it. `trajectory` is the
    /// receiver's.
    func corrected(
        _ observation: SimulatedObservation, at seconds: Double, on trajectory: any Trajectory
    ) -> SimulatedObservation {
        let truth = observation.truth.state
        guard var solution = observation.solution, var corrections = corrections(at: seconds),
            case let error = solution.coordinate.offset(from: truth.coordinate),
            error.distance < Self.largestError
        else { return observation }
        let factor = corrections.isFixed ? Self.fixedError : Self.floatError
        let (north, east) = (error.north * factor, error.east * factor)
        let up = (solution.altitude - truth.altitude) * factor
        var deviations = solution.deviations
        deviations.scale(by: factor)
        if var baseline = baseline(observation, at: seconds, on: trajectory) {
            baseline.north += north
            baseline.east += east
            baseline.down -= up
            (baseline.northDeviation, baseline.eastDeviation) = (deviations.north, deviations.east)
            baseline.downDeviation = deviations.up ?? deviations.horizontal
            corrections.baseline = baseline
        }
        solution.corrections = corrections
        if epochOfBase == nil {
            solution.coordinate = truth.coordinate.moved(north: north, east: east)
            solution.altitude = truth.altitude + up
            solution.deviations = deviations
        }
        var observation = observation
        observation.solution = solution
        return observation
    }

    /// Returns the true vector from the station. A moving base's is that of the base's last epoch, as of
    /// real receivers, which wait for it.
    private func baseline(
        _ observation: SimulatedObservation, at seconds: Double, on trajectory: any Trajectory
    ) -> SolutionCorrections.Baseline? {
        guard let station else { return nil }
        var state = observation.truth.state
        if let epochOfBase {
            guard let now = GPSTime(observation.truth.time) else { return nil }
            let week = 604_800_000
            let elapsed = (epochOfBase - Int(now.milliseconds)) % week
            let nearest =
                elapsed > week / 2 ? elapsed - week : elapsed < -week / 2 ? elapsed + week : elapsed
            let difference = Double(nearest) / 1000
            guard difference.magnitude <= Self.timeout else { return nil }
            state = trajectory.state(after: max(0, seconds + difference))
        }
        let vector = WGS84.local(state.antenna - station.position, at: state.coordinate)
        return SolutionCorrections.Baseline(
            north: vector.north, east: vector.east, down: -vector.up, northDeviation: 0,
            eastDeviation: 0, downDeviation: 0, isBaseMoving: epochOfBase != nil)
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
