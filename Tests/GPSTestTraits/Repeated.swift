// SPDX-License-Identifier: MIT
import Glibc
package import Testing

/// Runs each test `GPSBRIDGE_REPETITIONS` times in one process. Default: once.
package struct Repeated: TestTrait, SuiteTrait, TestScoping {
    package static let count = max(
        1, getenv("GPSBRIDGE_REPETITIONS").flatMap { Int(String(cString: $0)) } ?? 1)

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent () async throws -> Void
    ) async throws {
        for _ in 0..<(testCase == nil ? 1 : Self.count) { try await function() }
    }
}

extension Trait where Self == Repeated {
    /// Marks a test that can be repeated, because it must not fail once in a thousand runs.
    package static var repeated: Self { Repeated() }
}
