// SPDX-License-Identifier: MIT
import GNSS
package import GPSReceivers
import NMEA
package import UBX

/// Determines the second that a PPS pulse marks: the second of the epoch whose burst begins after
/// the pulse.
///
/// The last of at least three consecutive pulses at intervals of one second is used, if the burst
/// begins at most 0.9 s after it, and if the epochs after the pulses before it have named the
/// seconds before.
package struct PulseClock: Sendable {
    private static let second: Int64 = 1_000_000_000
    /// The tolerance of the interval between pulses, in nanoseconds. It allows for adjustments of
    /// the system's clock and delayed interrupts.
    private static let tolerance: Int64 = 2_000_000
    private static let maximumDelay: Int64 = 900_000_000
    private static let minimumPulses = 3
    /// The number of epochs in a row that must agree on the pulses' seconds.
    private static let minimumLabels = 3

    /// How pulses on a tty are found; `nil` for a PPS device and if they are not.
    package var report: PulseReport?

    private var last: Pulse?
    private var steadyCount = 0
    /// The receivers that have used the last pulse, by index; `nil` stands for all receivers, if
    /// they share one clock.
    private var users: Set<Int?> = []
    /// The last pulse that an epoch has named, its second, and the number of epochs that agree.
    private var labels: [Int?: (pulse: Int64, second: Int64, count: Int)] = [:]
    /// The message about the next pulse, and when it arrived.
    private var announced: (message: TimTP, arrival: Int64)?
    /// The message about the last pulse.
    private var lastMessage: TimTP?
    /// The difference between the seconds of the last message and of its epoch.
    private var timeDifference: Int64?
    private var intervals = RecentValues(64)
    private var delays = RecentValues(64)
    private var (pulseCount, missedCount) = (0, 0)

    /// Creates a clock without pulses.
    package init() {}

    /// Records a pulse.
    package mutating func receive(_ pulse: Pulse) {
        let interval = last.map { pulse.time &- $0.time }
        let isSteady = interval.map { ($0 - Self.second).magnitude <= Self.tolerance } ?? false
        steadyCount = isSteady ? steadyCount + 1 : 0
        (last, users) = (pulse, [])
        let message = exchange(&announced, with: nil)
        lastMessage = message.flatMap {
            0..<Self.second ~= pulse.time &- $0.arrival ? $0.message : nil
        }
        pulseCount += 1
        guard let interval else { return }
        if isSteady {
            intervals.append(interval - Self.second)
        } else {
            missedCount += Int(min(max((interval + Self.second / 2) / Self.second - 1, 0), 86_400))
        }
    }

    /// Returns the pulse before a burst if its second is certain, and marks it as used by a
    /// receiver. `time` is the time of the burst's epoch in nanoseconds of Unix time, or `nil` if
    /// it names no second, such as in a leap second. `burstStart` is the start of the burst by the
    /// clock of `MonotonicInstant`, in nanoseconds.
    ///
    /// `receiver` is the receiver's index if each receiver has its own clock, otherwise `nil`.
    package mutating func pulse(
        before burstStart: Int64, labelled time: Int64?, by receiver: Int? = nil
    ) -> (pulse: Pulse, error: Int?)? {
        guard let time else {
            (labels[receiver], timeDifference) = (nil, nil)
            return nil
        }
        guard let last, steadyCount >= Self.minimumPulses - 1, !users.contains(receiver),
            time % Self.second == 0, 0...Self.maximumDelay ~= burstStart &- last.time
        else { return nil }
        users.insert(receiver)
        let former = labels[receiver]
        let agrees = former.map {
            // Both clocks have advanced by the same number of seconds.
            let elapsed = last.time &- $0.pulse
            return (elapsed &- (time &- $0.second)).magnitude < UInt64(Self.second / 2)
        }
        let count = agrees == true ? min((former?.count ?? 0) + 1, Self.minimumLabels) : 1
        labels[receiver] = (last.time, time, count)
        let error = error(at: time)
        delays.append(burstStart &- last.time)
        return count >= Self.minimumLabels ? (last, error) : nil
    }

    /// Records a receiver's message about its next pulse, which arrived at a time of the clock of
    /// `MonotonicInstant`.
    package mutating func receive(_ message: TimTP, at arrival: Int64) {
        announced = (message, arrival)
    }

    /// Returns the time from the last pulse to its second in picoseconds; `nil` if the receiver has
    /// not reported it, or for another second.
    private mutating func error(at time: Int64) -> Int? {
        guard let message = exchange(&lastMessage, with: nil),
            message.timeOfWeekMilliseconds % 1000 == 0
        else { return nil }
        // 1 January 1970 was a Thursday. Weeks begin on Sunday.
        let week: Int64 = 604_800
        let second = (time / Self.second + 4 * 86_400) % week
        let difference = (Int64(message.timeOfWeekMilliseconds / 1000) - second + week) % week
        let former = exchange(&timeDifference, with: difference)
        // UTC has no difference; other times are ahead by the leap seconds.
        guard difference == (message.isUTC ? 0 : former), difference < 60 else { return nil }
        return message.pulseError
    }

    /// The usual delay from a second to the first byte of its epoch's burst, in nanoseconds, as
    /// measured by pulses; `nil` before eight of them.
    package var sentenceDelay: Int64? { delays.count >= 8 ? delays.median : nil }

    /// Figures about the pulses.
    package struct Statistics: Hashable, Sendable {
        /// `kernel`, `wait` or `poll`.
        package let method: String
        package let count: Int
        /// The number of pulses that did not arrive.
        package let missedCount: Int
        /// The median of the last intervals' differences from one second, in seconds. It contains
        /// the error of the machine's oscillator.
        package let deviation: Double?
        /// The median of the absolute differences from `deviation`, in seconds: the jitter.
        package let jitter: Double?
        /// The largest error of the last pulse's time, in seconds.
        package let uncertainty: Double
    }

    /// The figures; `nil` before the first pulse.
    package var statistics: Statistics? {
        guard let last else { return nil }
        return Statistics(
            method: report?.method.rawValue ?? "kernel", count: pulseCount,
            missedCount: missedCount, deviation: intervals.median.map { Double($0) / 1e9 },
            jitter: intervals.deviation.map { Double($0) / 1e9 },
            uncertainty: Double(last.uncertainty) / 1e9)
    }
}

/// Finds the messages about time pulses (`TIM-TP`) in a receiver's bytes.
struct PulseMessages: Sendable {
    private var finder = UBXFrameFinder()

    /// Processes bytes. Returns the last message that is complete with them.
    mutating func push(_ bytes: [UInt8]) -> TimTP? {
        var message: TimTP?
        finder.push(bytes) { message = TimTP($0) ?? message }
        return message
    }
}
