// SPDX-License-Identifier: MIT
import Dispatch
import GNSS
import GPSFleet

/// Returns the result of `work`. Converts a `FleetError` that `work` throws to a `UsageError`.
func usage<R>(_ work: () throws -> R) throws -> R {
    do {
        return try work()
    } catch let error as FleetError {
        throw UsageError(error.description)
    }
}

/// Runs blocking work on a thread of a new dispatch queue with this name, and returns its result.
/// Calls `stop` if the task is cancelled.
func onThread<R: Sendable>(
    _ name: String, stop: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () throws -> R
) async throws -> R {
    try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: name).async {
                continuation.resume(with: Result { try work() })
            }
        }
    } onCancel: {
        stop()
    }
}
