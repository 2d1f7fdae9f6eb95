// SPDX-License-Identifier: MIT

/// A value or an error that becomes available later.
///
/// Each use of `value`, `then` or `catch` receives the outcome exactly once. A promise is rejected
/// with `PromiseError.Code.abandoned` in two cases: its resolver is released without settling it,
/// or the promise is released and nothing waits for its outcome. Closures passed to `then`, `catch`
/// and `finally` wait for it, and so does a timeout at the end of a chain.
public final class Promise<Value: Sendable>: Sendable {
    let outcome = OneShot<Value>()

    /// Creates a pending promise.
    ///
    /// If the promise may never be settled, use `init(_:)` with a resolver, or
    /// `timeout(after:clock:)`. Otherwise, a task that waits for the value waits forever.
    public init() {}

    /// Creates a promise that `start` settles through its resolver.
    ///
    /// The promise is rejected with the error that `start` throws. If the last reference to the
    /// resolver is released first, the promise is rejected with `PromiseError.Code.abandoned`.
    public convenience init(_ start: (PromiseResolver<Value>) throws -> Void) {
        self.init()
        let resolver = PromiseResolver(outcome)
        do { try start(resolver) } catch { resolver.reject(error) }
    }

    deinit {
        outcome.promiseWasReleased()
    }

    /// Whether the promise has neither a value nor an error yet.
    public var isPending: Bool { !outcome.isSettled }

    /// Fulfills the promise unless it is settled; returns whether this call settled it.
    @discardableResult
    public func fulfill(_ value: Value) -> Bool {
        outcome.settle(.success(value))
    }

    /// The name of `fulfill(_:)` in version 0.1.0.
    @available(*, deprecated, renamed: "fulfill")
    @discardableResult
    public func fulfil(_ value: Value) -> Bool { fulfill(value) }

    /// Rejects the promise unless it is settled; returns whether this call settled it.
    @discardableResult
    public func reject(_ error: any Error) -> Bool {
        outcome.settle(.failure(error))
    }

    /// Waits for the value and returns it. Throws the promise's error if it is rejected.
    ///
    /// Any number of tasks may wait. If a task is cancelled, it throws `CancellationError`; the
    /// promise and other waiting tasks are not affected.
    public var value: Value {
        get async throws { try await outcome.value() }
    }

    /// Waits for the value and returns it. Throws the promise's error if it is rejected.
    ///
    /// If the task is cancelled, the promise is rejected with `CancellationError`, and closures
    /// passed to `finally` can cancel the underlying request. In a chain, the promises before it
    /// are rejected too, unless something else uses them.
    public func valueCancellingRequest() async throws -> Value {
        try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            reject(CancellationError())
        }
    }

    /// Rejects the promise with `PromiseError.Code.timedOut` if it is not settled within `limit`.
    /// In a chain, the promises before it are rejected too, unless something else uses them; this
    /// promise need not be kept. Returns this promise.
    @discardableResult
    public func timeout(
        after limit: Duration, clock: some Clock<Duration> = ContinuousClock()
    ) -> Self {
        // The timer is cancelled when the outcome is set or deallocated.
        let timer = Task { [weak outcome] in
            do { try await clock.sleep(for: limit) } catch { return }
            _ = outcome?.settle(.failure(PromiseError(.timedOut)))
        }
        outcome.timerWasStarted()
        outcome.wait(asConsumer: false) { _ in timer.cancel() }
        return self
    }
}

/// Settles a promise. If the resolver is released before that, the promise is rejected with
/// `PromiseError.Code.abandoned`.
public final class PromiseResolver<Value: Sendable>: Sendable {
    private let outcome: OneShot<Value>

    init(_ outcome: OneShot<Value>) {
        self.outcome = outcome
    }

    deinit {
        _ = outcome.settle(.failure(PromiseError(.abandoned)))
    }

    /// Fulfills the promise unless it is settled; returns whether this call settled it.
    @discardableResult
    public func fulfill(_ value: Value) -> Bool {
        outcome.settle(.success(value))
    }

    /// The name of `fulfill(_:)` in version 0.1.0.
    @available(*, deprecated, renamed: "fulfill")
    @discardableResult
    public func fulfil(_ value: Value) -> Bool { fulfill(value) }

    /// Rejects the promise unless it is settled; returns whether this call settled it.
    @discardableResult
    public func reject(_ error: any Error) -> Bool {
        outcome.settle(.failure(error))
    }
}
