// SPDX-License-Identifier: MIT

/// The producer's end of a promise; dropping it unsettled rejects the promise as abandoned.
public final class PromiseResolver<Value: Sendable>: Sendable {
    private let outcome: OneShot<Value>

    init(_ outcome: OneShot<Value>) {
        self.outcome = outcome
    }

    deinit {
        _ = outcome.settle(.failure(PromiseError(.abandoned)))
    }

    /// Settles the promise with a value, and returns whether this call settled it.
    @discardableResult
    public func fulfil(_ value: Value) -> Bool {
        outcome.settle(.success(value))
    }

    /// Settles the promise with an error, and returns whether this call settled it.
    @discardableResult
    public func reject(_ error: any Error) -> Bool {
        outcome.settle(.failure(error))
    }
}
