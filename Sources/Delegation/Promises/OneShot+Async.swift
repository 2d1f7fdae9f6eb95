// SPDX-License-Identifier: MIT

extension OneShot {
    /// Waits for the outcome.
    ///
    /// Cancelling the task ends this wait with a `CancellationError` and touches nobody else's.
    func value(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
        // Settled by whatever comes first, so the task resumes exactly once.
        let turn = OneShot<Value>()
        let id = wait { _ = turn.settle($0) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                turn.wait { continuation.resume(with: $0) }
            }
        } onCancel: {
            withdraw(id)
            _ = turn.settle(.failure(CancellationError()))
        }
    }
}
