// SPDX-License-Identifier: MIT

/// Calls a test of a program that waits only for `limit`, and returns its result. If it fails and
/// took at least this time, the machine has probably paused. Then it is called again, at most four
/// times.
func repeated(
    ifPausedFor limit: Duration, _ isAsExpected: () async throws -> Bool
) async throws -> Bool {
    for _ in 0..<5 {
        let start = ContinuousClock.now
        if try await isAsExpected() { return true }
        guard start.duration(to: .now) >= limit, !Task.isCancelled else { return false }
    }
    return false
}
