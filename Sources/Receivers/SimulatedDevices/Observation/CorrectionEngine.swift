// SPDX-License-Identifier: MIT
import GNSS
import RTCM

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

    /// Passes bytes of a program to the receiver.
    mutating func receive(_ bytes: [UInt8], at seconds: Double) {
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
