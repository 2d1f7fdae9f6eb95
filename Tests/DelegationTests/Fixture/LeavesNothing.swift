// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// Checks that every test ends with as many live objects as it started with: none of its own.
///
/// Runs each as often as `GPSBRIDGE_REPETITIONS` says, in one process; once unless it is set.
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
        try await counts.watch(function)
        ProxyStorage.sweep()
        // A task's own references may go a moment after its result has arrived.
        let none = Promise<Void>()
        counts.whenZero { none.fulfill(()) }
        // What is never released is ended by the test's limit of time.
        do {
            try await none.value
        } catch {
            let alive = LiveObjects.Kind.allCases.map { "\(counts[$0]) \($0)" }
            Issue.record("still alive: \(alive.joined(separator: ", "))")
        }
    }
}

extension Trait where Self == LeavesNothing {
    /// No proxy, observer, stream or promise may outlive its test.
    static var leavesNothing: Self { LeavesNothing() }
}
