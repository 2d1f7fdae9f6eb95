// SPDX-License-Identifier: MIT
import GNSS

extension SimulatedReceiver {
    /// The duration of the transition from the true to the false signals, in seconds.
    private static let takeOver = 10.0
    /// The speed of light in metres per second.
    private static let speedOfLight = 299_792_458.0

    /// Adds the effects of an attack, which must be active, to `result`. Does nothing for other
    /// faults.
    func attack(_ fault: Fault, at seconds: Double, _ result: inout Disturbances) {
        let elapsed = seconds - fault.start
        guard elapsed.isFinite, fault.kind.isFiniteAttack else { return }
        switch fault.kind {
        case .passingJammer(let decibels):
            let fall = Self.passingLoss(
                decibels, duration: fault.duration ?? 60, after: elapsed)
            result.jamming = max(result.jamming, fall)
            // The gain is reduced to a third by 15 dB of jamming.
            result.gain = max(0.1, 1 - fall * 0.7 / 15)
        case .equalPower(let north, let east):
            result.falseSignals = FalseSignals(level: 48, width: 0.5)
            result.spoofedNorth += north
            result.spoofedEast += east
            result.gain = 0.7
            // The chip's spoofing detector only reacts to the change, for a few seconds.
            result.isSpoofingReported = elapsed < 3
        case .dragOff(let north, let east, let isCareful):
            let progress = min(1, elapsed / Self.takeOver)
            // The velocity grows linearly during the transition.
            let way = elapsed < Self.takeOver ? elapsed * progress / 2 : elapsed - Self.takeOver / 2
            result.spoofedNorth += north * way
            result.spoofedEast += east * way
            result.spoofedNorthVelocity += north * progress
            result.spoofedEastVelocity += east * progress
            guard !isCareful else { break }
            result.falseSignals = FalseSignals(level: 44, width: 2.9, progress: progress)
            result.gain = 1 - 0.1 * progress
            result.clockOffset &+= Self.nanoseconds(20e-9 * elapsed)
        case .timeWalk(let rate):
            result.clockOffset &+= Self.nanoseconds(rate * elapsed)
        case .meaconing(let north, let east):
            let place = configuration.trajectory.state(after: fault.start).coordinate
            result.repeater = place.moved(north: north, east: east)
            result.falseSignals = FalseSignals(level: 45, kept: 0.65)
            result.gain = 0.8
            let way = (north * north + east * east).squareRoot()
            result.clockOffset &+= Self.nanoseconds(way / Self.speedOfLight)
            result.isSpoofingReported = elapsed < 1
        default: break
        }
    }

    /// Converts seconds to nanoseconds. The seconds are limited to ±1e9; the result is 0 if they
    /// are not finite.
    static func nanoseconds(_ seconds: Double) -> Int64 {
        guard seconds.isFinite else { return 0 }
        return Int64((min(1e9, max(-1e9, seconds)) * 1e9).rounded())
    }
    /// Returns the decrease of C/N0 in dB, `seconds` after a jammer has come near that drives past
    /// at constant speed for `duration` seconds. It is `decibels` when the jammer is nearest. The
    /// jamming power is added to the noise, and is inversely proportional to the square of the
    /// distance.
    private static func passingLoss(
        _ decibels: Double, duration: Double, after seconds: Double
    ) -> Double {
        // The power, as a fraction of the noise, above which a jammer has an effect.
        let threshold = 0.25
        let ln10 = 2.302_585_092_994_046
        let nearest = PortableMath.exp(decibels * ln10 / 10) - 1
        guard nearest > threshold, duration > 0 else { return max(0, decibels) }
        let place = 2 * seconds / duration - 1
        let squares = 1 + (nearest / threshold - 1) * place * place
        return 10 * PortableMath.log10(1 + nearest / squares)
    }
}
