// SPDX-License-Identifier: MIT

/// A value that comes once, or an error in its place.
///
/// Each `value`, `then` and `catch` gets the outcome exactly once. A promise whose producer is released
/// is rejected with `PromiseError.Code.abandoned`, and so is one that is released without a consumer,
/// which cancels the request behind it.
public final class Promise<Value: Sendable>: Sendable {
    let outcome = OneShot<Value>()
    private let live = LiveToken(.promises)

    /// Creates a pending promise.
    public init() {}

    /// Creates a promise for `start` to settle through the resolver it is given.
    ///
    /// The promise is rejected when `start` throws, and as abandoned when the last reference to
    /// the resolver goes away first: a request cannot hang because its producer forgot it.
    public convenience init(_ start: (PromiseResolver<Value>) throws -> Void) {
        self.init()
        let resolver = PromiseResolver(outcome)
        do { try start(resolver) } catch { resolver.reject(error) }
    }

    deinit {
        if !outcome.hasConsumers { reject(PromiseError(.abandoned)) }
    }

    /// Whether neither a value nor an error has come yet.
    public var isPending: Bool { !outcome.isSettled }

    /// Settles the promise with a value, and returns whether this call settled it.
    @discardableResult
    public func fulfill(_ value: Value) -> Bool {
        outcome.settle(.success(value))
    }

    /// The name of `fulfill(_:)` in 0.1.0.
    @available(*, deprecated, renamed: "fulfill")
    @discardableResult
    public func fulfil(_ value: Value) -> Bool { fulfill(value) }

    /// Settles the promise with an error, and returns whether this call settled it.
    @discardableResult
    public func reject(_ error: any Error) -> Bool {
        outcome.settle(.failure(error))
    }

    /// Waits for the value, any number of tasks at once; throws what the promise is rejected with.
    ///
    /// A task that is cancelled gets a `CancellationError`; the promise and other waiters go on.
    public var value: Value {
        get async throws { try await outcome.value() }
    }

    /// Waits for the value; cancelling the task also rejects the promise, which cancels its request.
    ///
    /// Throws what the promise is rejected with, `CancellationError` when the task is cancelled.
    public func valueCancellingRequest() async throws -> Value {
        try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            reject(CancellationError())
        }
    }

    /// Rejects the promise with `PromiseError.Code.timedOut` unless it is settled within `limit`.
    @discardableResult
    public func timeout(
        after limit: Duration, clock: some Clock<Duration> = ContinuousClock()
    ) -> Self {
        // Owned by the outcome, which ends it when it is settled or deallocated.
        let timer = Task { [weak outcome] in
            do { try await clock.sleep(for: limit) } catch { return }
            _ = outcome?.settle(.failure(PromiseError(.timedOut)))
        }
        outcome.wait(asConsumer: false) { _ in timer.cancel() }
        return self
    }
}

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
    public func fulfill(_ value: Value) -> Bool {
        outcome.settle(.success(value))
    }

    /// The name of `fulfill(_:)` in 0.1.0.
    @available(*, deprecated, renamed: "fulfill")
    @discardableResult
    public func fulfil(_ value: Value) -> Bool { fulfill(value) }

    /// Settles the promise with an error, and returns whether this call settled it.
    @discardableResult
    public func reject(_ error: any Error) -> Bool {
        outcome.settle(.failure(error))
    }
}
