// SPDX-License-Identifier: MIT

/// How much of the backlog is on its way at once: as much as the link takes without delaying live fixes.
///
/// It doubles as long as answers come within half a second, and halves where they do not.
struct BacklogPace {
    /// Fixes in one message.
    private(set) var count = 60
    /// Messages on their way.
    private(set) var window = 1

    private let maximumCount: Int
    private let maximumWindow: Int

    private static let quick = Duration.milliseconds(500)

    init(maximumCount: Int, maximumWindow: Int) {
        self.maximumCount = maximumCount
        self.maximumWindow = max(1, maximumWindow)
        count = min(count, maximumCount)
    }

    /// A message was answered after that time.
    mutating func answered(after delay: Duration) {
        guard delay < Self.quick else { return slowDown() }
        if count < maximumCount {
            count = min(maximumCount, count * 2)
        } else {
            window = min(maximumWindow, window + 1)
        }
    }

    /// A message was not answered in time.
    mutating func slowDown() {
        if window > 1 {
            window /= 2
        } else {
            count = max(min(20, maximumCount), count / 2)
        }
    }
}
