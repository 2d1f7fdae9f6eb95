// SPDX-License-Identifier: MIT
import Delegation

/// A thread-safe list of entries in the order they were added.
final class Log<Entry: Sendable>: Sendable {
    private let stored = Locked<[Entry]>([])
    private let live = LiveToken()

    var entries: [Entry] { stored.withLock { $0 } }
    var count: Int { stored.withLock { $0.count } }

    func append(_ entry: Entry) {
        stored.withLock { $0.append(entry) }
    }
}

/// A thread-safe variable that closures may share.
final class Shared<Value: Sendable>: Sendable {
    private let stored: Locked<Value>

    init(_ value: Value) { stored = Locked(value) }

    var value: Value {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }

    func update(_ change: (inout Value) -> Void) {
        stored.withLock { change(&$0) }
    }

    func take() -> Value where Value: ExpressibleByNilLiteral {
        stored.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
