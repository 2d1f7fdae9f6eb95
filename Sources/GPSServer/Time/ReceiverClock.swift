// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// The time of one receiver: fixes and arrivals in, samples out.
struct ReceiverClock: Sendable {
    private var timer = BurstTimer()
    private var filter = ClockFilter()
    private var watch = OutageWatch(delay: .seconds(10))
    /// The reason for never using the time of the source, known when it is opened; `nil` if it may be used.
    let obstacle: ClockObstacle?

    /// Begins with a device that has just been opened.
    init(obstacle: ClockObstacle?) {
        self.obstacle = obstacle
    }

    /// Whether arrivals are needed.
    var isUsable: Bool { obstacle == nil }

    /// Whether the time is used, as last reported; `nil` before the first report.
    var isUsed: Bool? { isUsable ? watch.works : false }

    /// Call with each chunk of bytes, as soon as it has been read.
    mutating func receive(byteCount: Int, baudRate: Int?) {
        if isUsable { timer.receive(byteCount: byteCount, baudRate: baudRate) }
    }

    /// The sample of a fix, where there is one; and what is to be reported of the use of the time: `nil` for
    /// nothing, else why it is not used, or that it is.
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

    /// A report of the use of a receiver's time.
    enum News: Hashable, Sendable {
        case used
        case notUsed(ClockObstacle)
    }
}
