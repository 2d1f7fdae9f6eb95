// SPDX-License-Identifier: MIT
import Dispatch
import GPSFleet

/// Turns errors of arguments into usage errors.
func usage<R>(_ work: () throws -> R) throws -> R {
    do {
        return try work()
    } catch let error as FleetError {
        throw UsageError(error.description)
    }
}

/// Runs what blocks on a thread of its own; `stop` is called where the task is cancelled.
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
