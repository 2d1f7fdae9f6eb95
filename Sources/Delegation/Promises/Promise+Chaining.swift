// SPDX-License-Identifier: MIT

extension Promise {
    /// Calls `body` with the value and promises what it returns; an error passes by, and one that
    /// `body` throws rejects the new promise.
    ///
    /// Called once, on `executor`: by default the thread that settles this promise, or this one if
    /// it is settled already.
    @discardableResult
    public func then<Next: Sendable>(
        on executor: some CallbackExecutor = .immediate,
        _ body: @escaping @Sendable (Value) throws -> Next
    ) -> Promise<Next> {
        chain(on: executor) { outcome, next in
            _ = next.settle(Result { try body(outcome.get()) })
        }
    }

    /// Calls `body` with the value and promises what the promise it returns comes to.
    @discardableResult
    public func then<Next: Sendable>(
        on executor: some CallbackExecutor = .immediate,
        _ body: @escaping @Sendable (Value) throws -> Promise<Next>
    ) -> Promise<Next> {
        chain(on: executor) { outcome, next in
            do {
                let inner = try body(outcome.get())
                inner.outcome.wait { _ = next.settle($0) }
            } catch {
                _ = next.settle(.failure(error))
            }
        }
    }

    /// Calls `body` with the error and promises the value it returns in its place; a value passes
    /// by, and an error that `body` throws rejects the new promise.
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

    /// Calls `body` whichever way the promise is settled, and promises the same outcome.
    @discardableResult
    public func finally(
        on executor: some CallbackExecutor = .immediate, _ body: @escaping @Sendable () -> Void
    ) -> Promise<Value> {
        chain(on: executor) { outcome, next in
            body()
            _ = next.settle(outcome)
        }
    }

    private func chain<Next: Sendable>(
        on executor: some CallbackExecutor,
        _ step: @escaping @Sendable (OneShot<Value>.Outcome, OneShot<Next>) -> Void
    ) -> Promise<Next> {
        let next = Promise<Next>()
        outcome.wait { [outcome = next.outcome] result in
            executor.execute { step(result, outcome) }
        }
        return next
    }
}
