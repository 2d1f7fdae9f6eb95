// SPDX-License-Identifier: MIT

/// A write-only sink onto an object, usually onto one of its properties.
///
/// The object is held weakly; once it is gone, values go nowhere. Writes run on the executor the
/// binder was given, in order and one at a time. There is nothing to fail: a value is all it takes.
public struct Binder<Value: Sendable>: Sendable {
    private let queue: DeliveryQueue
    private let write: @Sendable (Value) -> Void

    /// Creates a binder whose `write` is called on `executor`, with the target while it is alive.
    public init<Target: AnyObject & Sendable>(
        _ target: Target, on executor: some CallbackExecutor,
        _ write: @escaping @Sendable (Target, Value) -> Void
    ) {
        queue = DeliveryQueue(on: executor)
        self.write = { [weak target] value in
            guard let target else { return }
            write(target, value)
        }
    }

    /// Writes a value, once the executor gets to it; of a long backlog the newest 256 are kept.
    public func send(_ value: Value) {
        queue.enqueue { [write] in write(value) }
    }

    /// How many values were dropped because the executor lagged.
    public var droppedCount: Int { queue.droppedCount }
}
