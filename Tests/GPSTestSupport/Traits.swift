// SPDX-License-Identifier: MIT
import GPSIO
@_exported public import GPSTestTraits
package import Testing

/// Runs tests on the polling thread. Elsewhere, hundreds of other tests can delay each step of a
/// test by many seconds.
package struct Undelayed: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Poller.shared) { try await function() }
    }
}

extension Trait where Self == Undelayed {
    /// Marks tests whose steps must follow each other within seconds, because another process
    /// measures the time between them. They must not block their thread. Unstructured tasks of the
    /// test need `executorPreference: Poller.shared`, too.
    package static var undelayed: Self { Undelayed() }
}
