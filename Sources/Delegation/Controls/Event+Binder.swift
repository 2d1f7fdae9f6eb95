// SPDX-License-Identifier: MIT

extension Event {
    /// Sends every value to `binder`; the event's completion means nothing to it.
    @discardableResult
    public func bind(to binder: Binder<Payload>) -> Subscription {
        subscribe { binder.send($0) }
    }
}
