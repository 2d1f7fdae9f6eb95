// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestSupport
import Testing

/// The time after which a receiver without output counts as silent.
@Suite(.timeLimit(.generous))
struct SilenceWatchTests {
    private let start = MonotonicInstant.now

    /// Watches epochs that arrive the given seconds after the start.
    private func watch(_ epochs: [Double]) -> SilenceWatch {
        var watch = SilenceWatch(at: start)
        for second in epochs { watch.receivedEpoch(at: instant(second)) }
        return watch
    }

    private func instant(_ second: Double) -> MonotonicInstant {
        start + .milliseconds(Int(second * 1000))
    }

    @Test(
        arguments: [
            ([0], 10), ([0, 1, 2, 3], 13), ([0, 0.1, 0.2], 10.2), ([0, 6, 12, 18], 48),
            // Two reports per minute that arrive together.
            ([0, 0.5, 60, 60.5], 209.25),
            // A gap does not count as a cycle for long.
            ([0, 1, 31, 32, 33, 34, 35, 36], 46),
            // Intervals above a minute count as a minute.
            ([0, 100, 200], 500),
        ] as [([Double], Double)])
    func `a receiver is silent after ten seconds or five cycles`(epochs: [Double], end: Double) {
        var watch = watch(epochs)
        #expect(watch.silence(at: instant(end - 0.001)) == nil)
        #expect(watch.silence(at: instant(end)) == Int(end - (epochs.last ?? 0)))
        #expect(watch.silence(at: instant(end + 100)) == nil, "reported once")
        #expect(watch.deadline == nil)
        watch.receivedEpoch(at: instant(end + 100))
        #expect(watch.deadline != nil)
    }

    @Test func `a receiver without any epoch is silent after a minute, unless it may have none`() {
        var watch = SilenceWatch(at: start)
        #expect(watch.silence(at: instant(59.999)) == nil)
        #expect(watch.silence(at: instant(60)) == 60)
        #expect(watch.deadline == nil)
        var other = SilenceWatch(at: start)
        #expect(other.silence(at: instant(60), mayHaveNoEpoch: true) == nil)
        #expect(other.deadline == nil)
        other.receivedEpoch(at: instant(70))
        #expect(other.silence(at: instant(80), mayHaveNoEpoch: true) == 10)
    }
}
