// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// Compares one receiver's time with the system's clock: fixes and arrivals in, samples out.
struct ReceiverClock: Sendable {
    private var timer = BurstTimer()
    private var filter = ClockFilter()
    private var watch = OutageWatch(delay: .seconds(10))
    /// The reason, known at opening, why the source's time is never used; `nil` if it is usable.
    let obstacle: ClockObstacle?

    /// Creates the clock of a device that has just been opened.
    init(obstacle: ClockObstacle?) {
        self.obstacle = obstacle
    }

    /// Whether it needs arrival times.
    var isUsable: Bool { obstacle == nil }

    /// Whether the time is used, as last reported; `nil` if nothing has been reported.
    var isUsed: Bool? { isUsable ? watch.works : false }

    /// Records a chunk of bytes; call it as soon as the chunk has been read.
    mutating func receive(byteCount: Int, baudRate: Int?) {
        if isUsable { timer.receive(byteCount: byteCount, baudRate: baudRate) }
    }

    /// Returns the sample of a fix, if there is one, and a change in the use of the receiver's time
    /// to report, if there is one.
    mutating func sample(
        of fix: Fix, delay: Double, at now: MonotonicInstant
    ) -> (sample: ClockSample?, news: News?) {
        guard isUsable else { return (nil, nil) }
        let start = timer.takeStart()
        let time = filter.time(of: fix)
        guard let time, let start else {
            let isNews = watch.isNews(works: false, at: now)
            return (nil, isNews ? .notUsed(filter.obstacle ?? .neverSilent) : nil)
        }
        let isNews = watch.isNews(works: true, at: now)
        return (
            ClockSample(trueTime: time + Int64(delay * 1e9), systemTime: start),
            isNews ? .used : nil
        )
    }

    /// A change in the use of a receiver's time.
    enum News: Hashable, Sendable {
        case used
        case notUsed(ClockObstacle)
    }
}
