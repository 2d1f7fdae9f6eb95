// SPDX-License-Identifier: MIT
public import Synchronization

/// A proxy's reference to the user's delegate. The reference is weak or strong.
@usableFromInline
final class ForwardSlot<Delegate>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var reference: WeakDelegate<Delegate>?
        /// The delegate if the reference is strong, otherwise `nil`.
        // Safety: the object is only retained and released. The delegate protocol defines the
        // threads that may call it.
        nonisolated(unsafe) var retained: AnyObject?
        /// The number of changes so far. It identifies the change that set the current delegate.
        var version: UInt64 = 0

        init() {}

        init(_ delegate: Delegate?, retained: Bool) {
            reference = delegate.map(WeakDelegate.init)
            self.retained = retained ? delegate.map { $0 as AnyObject } : nil
        }
    }

    @usableFromInline let state = Locked(State())
    // This is outside the lock, so that a call without a delegate costs one atomic load.
    @usableFromInline let hasReference = Atomic(false)

    /// Whether a delegate is set. Stays `true` if the delegate has been deallocated.
    @inlinable var isOccupied: Bool { hasReference.load(ordering: .acquiring) }

    /// The delegate; `nil` if none is set or it has been deallocated.
    @inlinable var delegate: Delegate? {
        guard isOccupied else { return nil }
        return state.withLock { $0.reference?.value }
    }

    /// Replaces the delegate. The reference is strong if `retained` is `true`, otherwise weak.
    func set(_ delegate: Delegate?, retained: Bool) {
        let new = State(delegate, retained: retained)
        let old = state.withLock { replace(&$0, by: new) }
        // The old state is released outside the lock, because this may run a delegate's deinit.
        withExtendedLifetime(old) {}
    }

    /// Replaces the delegate with the object of `reference`, held weakly. Does nothing if the slot
    /// already retains that object. Returns the old state, which the caller must release outside
    /// its locks.
    func update(to reference: WeakDelegate<Delegate>?) -> State? {
        state.withLock { state in
            // A retained object has not been deallocated, so no other object has its identifier.
            if state.retained != nil, state.reference?.identity == reference?.identity {
                return nil
            }
            var new = State()
            new.reference = reference
            return replace(&state, by: new)
        }
    }

    /// Sets the delegate if none is set. Returns the version to pass to `clear`.
    ///
    /// If there is already a delegate, throws `DelegationError.Code.delegateAlreadySet` with the
    /// description of that delegate.
    func install(_ delegate: Delegate, retained: Bool) throws(DelegationError) -> UInt64 {
        let new = State(delegate, retained: retained)
        while true {
            // The check is made outside the lock, because releasing the current delegate may run
            // its deinit.
            let current = state.withLock { $0 }
            if let occupant = current.reference?.value {
                let name = String(describing: occupant as AnyObject)
                throw DelegationError(.delegateAlreadySet, "the delegate is \(name)")
            }
            let version = state.withLock { state -> UInt64? in
                guard state.version == current.version else { return nil }
                _ = replace(&state, by: new)
                return state.version
            }
            if let version { return version }
        }
    }

    /// Removes the delegate if it has not been changed since `install` returned `version`. Returns
    /// whether the delegate was removed.
    func clear(_ version: UInt64) -> Bool {
        let old = state.withLock { state -> State? in
            guard state.version == version else { return nil }
            return replace(&state, by: State())
        }
        return old != nil
    }

    /// Replaces the state. Returns the old state, which must be released outside the lock.
    private func replace(_ state: inout State, by new: State) -> State {
        let old = state
        state = new
        state.version = old.version + 1
        hasReference.store(new.reference != nil, ordering: .releasing)
        return old
    }
}
