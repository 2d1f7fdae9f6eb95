// SPDX-License-Identifier: MIT
import Synchronization

/// Where a proxy keeps the user's delegate: weakly, or retained on request.
final class ForwardSlot<Delegate>: Sendable {
    /// A delegate on its way out of the lock.
    // Safety: which threads may call a delegate is its protocol's contract, not this type's.
    private struct Passed: @unchecked Sendable {
        let delegate: Delegate
    }

    private enum Content: Sendable {
        case empty
        case weak(WeakDelegate<Delegate>)
        case retained(Passed)

        var delegate: Passed? {
            switch self {
            case .empty: nil
            case .weak(let reference): reference.value.map(Passed.init)
            case .retained(let passed): passed
            }
        }
    }

    private struct State: Sendable {
        var content = Content.empty
        var version: UInt64 = 0

        mutating func replace(_ new: Content) -> Content {
            defer { content = new }
            version += 1
            return content
        }
    }

    private let state = Locked(State())
    private let mayHold = Atomic(false)

    /// Whether a delegate has been set; it may have gone away since.
    var isOccupied: Bool { mayHold.load(ordering: .acquiring) }

    /// The delegate, if it is set and alive.
    var delegate: Delegate? {
        guard isOccupied else { return nil }
        return state.withLock { $0.content.delegate }?.delegate
    }

    /// Puts `delegate` in place of whatever is there.
    func set(_ delegate: Delegate?, retained: Bool) {
        let content = Self.content(delegate, retained: retained)
        // The old content is released after the lock, since that may run a delegate's deinit.
        let old = state.withLock { state in
            mayHold.store(delegate != nil, ordering: .releasing)
            return state.replace(content)
        }
        withExtendedLifetime(old) {}
    }

    /// Puts a delegate that is already referred to weakly into an empty slot.
    func set(_ reference: WeakDelegate<Delegate>) {
        state.withLock { state in
            mayHold.store(true, ordering: .releasing)
            _ = state.replace(.weak(reference))
        }
    }

    /// Puts `delegate` into an empty slot; returns what `clear` needs, or throws who is there.
    func install(_ delegate: Delegate, retained: Bool) throws(DelegationError) -> UInt64 {
        let content = Self.content(delegate, retained: retained)
        let (occupant, version) = state.withLock { state -> (Passed?, UInt64) in
            if let occupant = state.content.delegate { return (occupant, 0) }
            mayHold.store(true, ordering: .releasing)
            _ = state.replace(content)
            return (nil, state.version)
        }
        if let occupant {
            let name = String(describing: occupant.delegate as AnyObject)
            throw DelegationError(.delegateAlreadySet, "the delegate is \(name)")
        }
        return version
    }

    /// Empties the slot if nothing has been put there since; returns whether it did.
    func clear(_ version: UInt64) -> Bool {
        let old = state.withLock { state -> Content? in
            guard state.version == version else { return nil }
            mayHold.store(false, ordering: .releasing)
            return state.replace(.empty)
        }
        return old != nil
    }

    private static func content(_ delegate: Delegate?, retained: Bool) -> Content {
        guard let delegate else { return .empty }
        return retained ? .retained(Passed(delegate: delegate)) : .weak(WeakDelegate(delegate))
    }
}
