// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the rate of the receiver's oscillator changed suddenly, or that its phase jumped.
///
/// In a second, temperature changes the oscillator's rate by at most a few nanoseconds per second.
/// When a receiver switches to false signals with another time, the computed rate follows these
/// signals.
struct OscillatorChange: FixTest {
    static let name = Integrity.Test.receiverClock
    static let evidence = Integrity.Evidence.oscillator
    static let unit = "ns/s"

    /// The bias is reported modulo this period, in nanoseconds.
    private static let period = 1e6
    /// The shortest and the longest time over which rates are measured, in seconds.
    private static let span = 0.9...5.0
    /// The worst accuracy of the time, in seconds, with which the clock state is used. If the
    /// accuracy is worse, the receiver is still searching for satellites.
    private static let worstAccuracy = 1e-6
    /// Changes of the bias up to this multiple of the worst accuracy of three samples are noise.
    private static let noise = 4.0

    private struct Sample {
        var clock: ReceiverClock
        /// The accuracy of the time in seconds; 0 if it is not reported.
        var accuracy: Double
        /// The rate between the previous sample and this one, and the accuracy of the previous
        /// sample; `nil` for the first sample.
        var former: (rate: Double, accuracy: Double)?
    }

    private var last: Sample?
    private var elapsed = 0.0

    static func text(_ finding: Finding) -> String {
        "rate of the receiver's oscillator changed by \(String(finding.value, decimals: 0)) ns/s "
            + "in \(String(finding.details.0, atMostDecimals: 1)) s"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        let accuracy = epoch.fix.accuracy.time ?? 0
        // While a receiver computes its position without signals, it extrapolates its time.
        guard let clock = epoch.fix.receiverClock, epoch.fix.mode == .threeD,
            epoch.fix.quality != .estimated, let step = epoch.step, step > 0,
            accuracy <= Self.worstAccuracy
        else {
            self = Self()
            return .unavailable
        }
        elapsed += step
        guard let last, elapsed <= Self.span.upperBound else {
            (last, elapsed) = (Sample(clock: clock, accuracy: accuracy), 0)
            return .unavailable
        }
        guard elapsed >= Self.span.lowerBound else { return .unavailable }
        var change = 0.0
        var sample = Sample(clock: clock, accuracy: accuracy)
        if let now = clock.drift, let before = last.clock.drift {
            change = abs(Double(now) - Double(before))
        }
        if let now = clock.bias, let before = last.clock.bias {
            let moved = (Double(now) - Double(before)).remainder(dividingBy: Self.period)
            let own = moved / elapsed
            if let former = last.former {
                // Both rates come from the same three samples. When more satellites are received
                // again, the receiver corrects an error of its time. The worst of the three
                // accuracies limits that error.
                let worst = max(accuracy, last.accuracy, former.accuracy)
                let difference = abs(own - former.rate)
                if difference >= Self.noise * worst * 1e9 / elapsed {
                    change = max(change, difference)
                }
            }
            sample.former = (own, last.accuracy)
        }
        let time = elapsed
        (self.last, elapsed) = (sample, 0)
        guard epoch.age >= settings.warmUp else { return .unavailable }
        guard change > settings.driftWarning else { return .quiet }
        let isHard = change > settings.driftAlarm
        return .found(
            isHard ? .hard : .event, change,
            beyond: isHard ? settings.driftAlarm : settings.driftWarning, details: (time, 0))
    }
}
