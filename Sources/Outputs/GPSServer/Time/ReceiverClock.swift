// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// Compares one receiver's time with the system's clock. It creates samples from fixes and the
/// arrival times of their bytes.
struct ReceiverClock: Sendable {
    private var timer: BurstTimer
    private var filter = ClockFilter()
    private var watch = OutageWatch(delay: .seconds(10))
    /// The reason why the source's time must not be used, determined when it is opened; `nil` if it
    /// may be.
    let obstacle: ClockObstacle?

    /// Creates the clock of a device that has just been opened. `ignoresBaudRate` is `true` if the
    /// line's baud rate does not determine the transmission time, as with built-in USB.
    init(obstacle: ClockObstacle?, ignoresBaudRate: Bool = false) {
        timer = BurstTimer(ignoresBaudRate: ignoresBaudRate)
        self.obstacle = obstacle
    }

    /// Whether the source's time may be used.
    var isUsable: Bool { obstacle == nil }

    /// Whether the time is used, according to the last `Change`; `nil` before the first one.
    /// `false` if the source's time may not be used.
    var isUsed: Bool? { isUsable ? watch.works : false }

    /// Records that a chunk of bytes has arrived now. `baudRate` is `nil` if it is unknown.
    mutating func receive(byteCount: Int, baudRate: Int?) {
        if isUsable { timer.receive(byteCount: byteCount, baudRate: baudRate) }
    }

    /// Returns the sample of a fix; `nil` if its time must not be used. `change` reports that the
    /// receiver's time is now used, or no longer used; `nil` if there is nothing to report. `delay`
    /// is in seconds.
    mutating func sample(
        of fix: Fix, delay: Double, at now: MonotonicInstant
    ) -> (sample: ClockSample?, change: Change?) {
        guard isUsable else { return (nil, nil) }
        let start = timer.takeStart()
        let time = filter.time(of: fix, arrival: start == nil ? nil : timer.steadyStart)
        guard let time, let start else {
            let isNews = watch.shouldReport(isWorking: false, at: now)
            return (nil, isNews ? .notUsed(filter.obstacle ?? .neverSilent) : nil)
        }
        let isNews = watch.shouldReport(isWorking: true, at: now)
        return (
            ClockSample(trueTime: time &+ Int64(nanosecondsIn: delay), systemTime: start),
            isNews ? .used : nil
        )
    }

    /// A change to report about the use of a receiver's time.
    enum Change: Hashable, Sendable {
        case used
        case notUsed(ClockObstacle)
    }
}
