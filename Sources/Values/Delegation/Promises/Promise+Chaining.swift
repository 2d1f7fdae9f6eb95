// SPDX-License-Identifier: MIT

extension Promise {
    /// Calls `body` with the value if this promise is fulfilled. Returns a promise of the result of
    /// `body`.
    ///
    /// The new promise is rejected with this promise's error or with the error that `body` throws.
    /// `body` is called once, on `executor`. By default, that is the thread that settles this
    /// promise, or the calling thread if the promise is already settled.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable>(
        on executor: some CallbackExecutor = .immediate,
        _ body: @escaping @Sendable (Value) throws -> Next
    ) -> Promise<Next> {
        chain(on: executor) { outcome, next in
            _ = next.settle(Result { try body(outcome.get()) })
        }
    }

    /// Calls `body` with the value if this promise is fulfilled. Returns a promise that gets the
    /// outcome of the promise that `body` returns.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable>(
        on executor: some CallbackExecutor = .immediate,
        _ body: @escaping @Sendable (Value) throws -> Promise<Next>
    ) -> Promise<Next> {
        chain(on: executor) { outcome, next in
            do {
                let inner = try body(outcome.get())
                inner.outcome.wait(toSettle: next) { _ = next.settle($0) }
            } catch {
                _ = next.settle(.failure(error))
            }
        }
    }

    /// Calls `body` with the error if this promise is rejected. Returns a promise of the result of
    /// `body`.
    ///
    /// If `body` throws, the new promise is rejected with that error. If this promise is fulfilled,
    /// `body` is not called, and the new promise has the same value.
    @_disfavoredOverload
    @discardableResult
    public func `catch`(
        on executor: some CallbackExecutor = .immediate,
        _ body: @escaping @Sendable (any Error) throws -> Value
    ) -> Promise<Value> {
        chain(on: executor) { outcome, next in
            switch outcome {
            case .success: _ = next.settle(outcome)
            case .failure(let error): _ = next.settle(Result { try body(error) })
            }
        }
    }

    /// Calls `body` when this promise is fulfilled or rejected. Returns a promise that then gets
    /// the same outcome.
    ///
    /// If the returned promise is neither kept nor chained, `body` does not prevent a timeout or a
    /// cancellation from ending the request.
    @_disfavoredOverload
    @discardableResult
    public func finally(
        on executor: some CallbackExecutor = .immediate, _ body: @escaping @Sendable () -> Void
    ) -> Promise<Value> {
        chain(on: executor, isFinally: true) { outcome, next in
            body()
            _ = next.settle(outcome)
        }
    }

    func chain<Next: Sendable>(
        on executor: some CallbackExecutor, isFinally: Bool = false,
        _ step: @escaping @Sendable (OneShot<Value>.Outcome, OneShot<Next>) -> Void
    ) -> Promise<Next> {
        let next = Promise<Next>()
        outcome.wait(toSettle: next.outcome, isFinally: isFinally) {
            [outcome = next.outcome] result in
            executor.execute { step(result, outcome) }
        }
        return next
    }
}
