// SPDX-License-Identifier: MIT

/// Adapts the number of backlog fixes in flight (sent, but not answered yet). It is as large as
/// possible without delaying live fixes.
///
/// While answers arrive within half a second, messages become larger and then more numerous. After
/// a slow or missing answer, the number of messages is halved or, if it is already 1, the size of a
/// message.
struct BacklogPace {
    /// The maximum number of fixes in one message.
    private(set) var count = 60
    /// The maximum number of backlog messages in flight.
    private(set) var window = 1

    private let maximumCount: Int
    private let maximumWindow: Int

    private static let quickAnswer = Duration.milliseconds(500)

    init(maximumCount: Int, maximumWindow: Int) {
        self.maximumCount = maximumCount
        self.maximumWindow = max(1, maximumWindow)
        count = min(count, maximumCount)
    }

    /// Adapts the pace to the delay between sending a message and receiving its answer.
    mutating func answered(after delay: Duration) {
        guard delay < Self.quickAnswer else { return slowDown() }
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
