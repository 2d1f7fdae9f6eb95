// SPDX-License-Identifier: MIT
public import Synchronization

/// A proxy's reference to the user's delegate: weak, or strong on request.
@usableFromInline
final class ForwardSlot<Delegate>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var reference: WeakDelegate<Delegate>?
        /// The delegate if it is to be retained.
        // Safety: only ever released; the delegate protocol defines the threads that may call it.
        nonisolated(unsafe) var retained: AnyObject?
        var version: UInt64 = 0

        init() {}

        init(_ delegate: Delegate?, retained: Bool) {
            reference = delegate.map(WeakDelegate.init)
            self.retained = retained ? delegate.map { $0 as AnyObject } : nil
        }
    }

    @usableFromInline let state = Locked(State())
    // Outside the lock: calling an empty slot costs one load.
    @usableFromInline let hasReference = Atomic(false)

    /// Whether a delegate has been set; it may have been deallocated since.
    @inlinable var isOccupied: Bool { hasReference.load(ordering: .acquiring) }

    /// The delegate; `nil` if none is set or it has been deallocated.
    @inlinable var delegate: Delegate? {
        guard isOccupied else { return nil }
        return state.withLock { $0.reference?.value }
    }

    /// Replaces the delegate.
    func set(_ delegate: Delegate?, retained: Bool) {
        let new = State(delegate, retained: retained)
        let old = state.withLock { replace(&$0, by: new) }
        // Released outside the lock, since this may run a delegate's deinit.
        withExtendedLifetime(old) {}
    }

    /// Replaces the delegate by the object of `reference`, held weakly, unless the slot retains that
    /// object already. Returns the old state for the caller to release.
    func update(to reference: WeakDelegate<Delegate>?) -> State? {
        state.withLock { state in
            // A retained delegate is alive, so its identifier has not been reused.
            if state.retained != nil, state.reference?.identity == reference?.identity {
                return nil
            }
            var new = State()
            new.reference = reference
            return replace(&state, by: new)
        }
    }

    /// Puts `delegate` into an empty slot; returns the version that `clear` needs.
    ///
    /// Throws `DelegationError.Code.delegateAlreadySet` with the name of the current delegate.
    func install(_ delegate: Delegate, retained: Bool) throws(DelegationError) -> UInt64 {
        let new = State(delegate, retained: retained)
        while true {
            // Checked outside the lock, since releasing the occupant may run its deinit.
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

    /// Empties the slot if it still has `version`; returns whether it did.
    func clear(_ version: UInt64) -> Bool {
        let old = state.withLock { state -> State? in
            guard state.version == version else { return nil }
            return replace(&state, by: State())
        }
        return old != nil
    }

    /// Replaces the state and returns the old one, which is to be released outside the lock.
    private func replace(_ state: inout State, by new: State) -> State {
        let old = state
        state = new
        state.version = old.version + 1
        hasReference.store(new.reference != nil, ordering: .releasing)
        return old
    }
}
