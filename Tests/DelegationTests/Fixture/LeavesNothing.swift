// SPDX-License-Identifier: MIT
import Delegation
import Testing

/// Checks that every test ends with as many live objects as it started with: none of its own.
struct LeavesNothing: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let counts = LiveCounts()
        try await LiveCounts.$current.withValue(counts, operation: function)
        ProxyStorage.sweep()
        // A task's own references may go a moment after its result has arrived.
        let none = Promise<Void>()
        counts.whenZero { none.fulfil(()) }
        do {
            try await none.timeout(after: .seconds(60)).value
        } catch {
            let alive = LiveCounts.Kind.allCases.map { "\(counts[$0]) \($0)" }
            Issue.record("still alive: \(alive.joined(separator: ", "))")
        }
    }
}

extension Trait where Self == LeavesNothing {
    /// No proxy, observer, stream or promise may outlive its test.
    static var leavesNothing: Self { LeavesNothing() }
}

extension TimeLimitTrait.Duration {
    /// The limit of every test here: it ends what hangs, and is never reached by what is slow.
    static var generous: Self { .minutes(10) }
}
