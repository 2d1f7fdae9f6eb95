// SPDX-License-Identifier: MIT
import GNSS

/// The clock of a poller's deadlines.
struct PollerTime: Sendable {
    /// Whether this is the system's clock, so that `epoll_wait`'s timeout can be used.
    let isSystem: Bool
    /// Returns the current instant.
    let now: @Sendable () -> MonotonicInstant
    private let sleep: @Sendable (MonotonicInstant) async throws -> Void

    /// The system's monotonic clock.
    static let system = PollerTime(
        isSystem: true, now: { .now },
        sleep: { try await Task.sleep(for: MonotonicInstant.now.duration(to: $0)) })

    private init(
        isSystem: Bool, now: @escaping @Sendable () -> MonotonicInstant,
        sleep: @escaping @Sendable (MonotonicInstant) async throws -> Void
    ) {
        self.isSystem = isSystem
        self.now = now
        self.sleep = sleep
    }

    /// Creates the time of another clock. The clock's current instant is mapped to the current
    /// `MonotonicInstant`.
    init(_ clock: some Clock<Duration>) {
        let (start, origin) = (clock.now, MonotonicInstant.now)
        self.init(
            isSystem: false, now: { origin + start.duration(to: clock.now) },
            sleep: {
                try await clock.sleep(
                    until: start.advanced(by: origin.duration(to: $0)), tolerance: nil)
            })
    }

    /// Calls `body` in a background task when the clock reaches `instant`. A clock that stands still
    /// retains `body` for ever.
    func wait(until instant: MonotonicInstant, then body: @escaping @Sendable () -> Void) {
        Task(executorPreference: BackgroundExecutor.shared) {
            try? await sleep(instant)  // this task is never cancelled
            body()
        }
    }
}
