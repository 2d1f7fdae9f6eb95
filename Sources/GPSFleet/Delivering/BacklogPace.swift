// SPDX-License-Identifier: MIT

/// The amount of backlog in flight: as much as the link can carry without delaying live fixes.
///
/// It doubles while answers arrive within half a second, and halves otherwise.
struct BacklogPace {
    /// The number of fixes in one message.
    private(set) var count = 60
    /// The number of messages in flight.
    private(set) var window = 1

    private let maximumCount: Int
    private let maximumWindow: Int

    private static let quick = Duration.milliseconds(500)

    init(maximumCount: Int, maximumWindow: Int) {
        self.maximumCount = maximumCount
        self.maximumWindow = max(1, maximumWindow)
        count = min(count, maximumCount)
    }

    /// Adapts the pace to the time that an answer took.
    mutating func answered(after delay: Duration) {
        guard delay < Self.quick else { return slowDown() }
        if count < maximumCount {
            count = min(maximumCount, count * 2)
        } else {
            window = min(maximumWindow, window + 1)
        }
    }

    /// Slows down after a message was not answered in time.
    mutating func slowDown() {
        if window > 1 {
            window /= 2
        } else {
            count = max(min(20, maximumCount), count / 2)
        }
    }
}
