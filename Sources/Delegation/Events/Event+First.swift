// SPDX-License-Identifier: MIT

extension Event {
    /// Promises the next value that `predicate` accepts.
    ///
    /// Rejected with `PromiseError.Code.eventCompleted` when the event ends first. Once the
    /// promise is settled, by whatever, the event is no longer observed. `predicate` is called on
    /// the sender's thread.
    public func first(
        where predicate: @escaping @Sendable (Payload) -> Bool = { _ in true }
    ) -> Promise<Payload> {
        let promise = Promise<Payload>()
        let subscription = observe { [outcome = promise.outcome] payload in
            if predicate(payload) { _ = outcome.settle(.success(payload)) }
        } onCompletion: { [outcome = promise.outcome] in
            _ = outcome.settle(.failure(PromiseError(.eventCompleted)))
        }
        promise.outcome.wait(asConsumer: false) { _ in subscription.dispose() }
        return promise
    }
}
