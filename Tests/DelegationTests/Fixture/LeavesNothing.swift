// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// Checks that no host, proxy or log of a test is alive when the test has ended.
///
/// Runs each test `GPSBRIDGE_REPETITIONS` times in one process. Default: once.
struct LeavesNothing: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        for _ in 0..<Repeated.count { try await runOnce(function) }
    }

    private func runOnce(_ function: @concurrent () async throws -> Void) async throws {
        let counts = LiveCounts()
        try await LiveCounts.$current.withValue(counts, operation: function)
        ProxyStorage.sweep()
        // A task may release its references shortly after its result has arrived.
        let none = Promise<Void>()
        counts.whenZero { none.fulfill(()) }
        // The test's time limit ends the wait for objects that are never released.
        do {
            try await none.value
        } catch {
            Issue.record("objects still alive: \(counts.count)")
        }
    }
}

extension Trait where Self == LeavesNothing {
    /// No host, proxy or log, and so no observer of one, may outlive its test.
    static var leavesNothing: Self { LeavesNothing() }
}
