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
            let fall = PassingJammer(decibels: decibels, duration: fault.duration ?? 60)
                .signalLoss(after: elapsed)
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
            let place = observerConfiguration.trajectory.state(after: fault.start).coordinate
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
}

/// A jammer that drives past at constant speed.
struct PassingJammer {
    /// The decrease of C/N0 when the jammer is nearest, in dB.
    var decibels: Double
    /// The time during which the jammer has an effect, in seconds.
    var duration: Double

    /// The power, as a fraction of the noise, above which a jammer has an effect.
    private static let threshold = 0.25

    /// Returns the decrease of C/N0 in dB, `seconds` after the start. The jamming power is added to
    /// the noise, and is inversely proportional to the square of the distance.
    func signalLoss(after seconds: Double) -> Double {
        let nearest = Self.ratio(decibels) - 1
        guard nearest > Self.threshold, duration > 0 else { return max(0, decibels) }
        let place = 2 * seconds / duration - 1
        let squares = 1 + (nearest / Self.threshold - 1) * place * place
        return Self.decibels(1 + nearest / squares)
    }

    /// Returns the ratio of powers for a number of decibels.
    private static func ratio(_ decibels: Double) -> Double {
        PortableMath.exp(decibels * ln10 / 10)
    }

    private static let ln10 = 2.302_585_092_994_046
    private static let ln2 = 0.693_147_180_559_945_3

    /// Converts a ratio of powers, above 0, to decibels. The result is the same on any machine.
    private static func decibels(_ ratio: Double) -> Double {
        let fraction = (ratio.significand - 1) / (ratio.significand + 1)
        let square = fraction * fraction
        // The series of the inverse hyperbolic tangent. It converges quickly, because `square` is
        // at most 1/9.
        var (sum, power) = (0.0, fraction)
        for index in 0..<16 {
            sum += power / Double(2 * index + 1)
            power *= square
        }
        return 10 / ln10 * (2 * sum + Double(ratio.exponent) * ln2)
    }
}
