// SPDX-License-Identifier: MIT
public import Synchronization

/// Where a proxy keeps the user's delegate: weakly, or retained on request.
@usableFromInline
final class ForwardSlot<Delegate>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var reference: WeakDelegate<Delegate>?
        /// Holds the delegate when it is to be retained.
        // Safety: only ever released; which threads may call a delegate is its protocol's contract.
        nonisolated(unsafe) var keeper: AnyObject?
        var version: UInt64 = 0

        mutating func replace(by new: State) -> State {
            let old = self
            self = new
            version = old.version + 1
            return old
        }
    }

    @usableFromInline let state = Locked(State())
    // Read on every call, so kept beside the lock: an empty slot costs one load.
    @usableFromInline let mayHold = Atomic(false)

    /// Whether a delegate has been set; it may have gone away since.
    @inlinable var isOccupied: Bool { mayHold.load(ordering: .acquiring) }

    /// The delegate, if it is set and alive.
    @inlinable var delegate: Delegate? {
        guard isOccupied else { return nil }
        return state.withLock { $0.reference?.value }
    }

    /// Puts `delegate` in place of whatever is there.
    func set(_ delegate: Delegate?, retained: Bool) {
        let new = Self.content(delegate, retained: retained)
        // The old content is released after the lock, since that may run a delegate's deinit.
        let old = state.withLock { state in
            mayHold.store(delegate != nil, ordering: .releasing)
            return state.replace(by: new)
        }
        withExtendedLifetime(old) {}
    }

    /// Replaces the delegate with what `reference` refers to, weakly; the same delegate stays as it
    /// is, retained or not. Returns what was replaced, for the caller to release.
    func follow(_ reference: WeakDelegate<Delegate>?) -> State? {
        state.withLock { state in
            // A retained delegate is alive, so an equal identifier is its own, not a reused one.
            if state.keeper != nil, state.reference?.identity == reference?.identity { return nil }
            mayHold.store(reference != nil, ordering: .releasing)
            return state.replace(by: State(reference: reference))
        }
    }

    /// Puts `delegate` into an empty slot; returns the version that `clear` needs.
    ///
    /// Throws `DelegationError.Code.delegateAlreadySet`, which names the delegate that is there.
    func install(_ delegate: Delegate, retained: Bool) throws(DelegationError) -> UInt64 {
        let new = Self.content(delegate, retained: retained)
        while true {
            // Looked at outside the lock, as above; what is found dead can't come back.
            let seen = state.withLock { $0 }
            if let occupant = seen.reference?.value {
                let name = String(describing: occupant as AnyObject)
                throw DelegationError(.delegateAlreadySet, "the delegate is \(name)")
            }
            let version = state.withLock { state -> UInt64? in
                guard state.version == seen.version else { return nil }
                mayHold.store(true, ordering: .releasing)
                _ = state.replace(by: new)
                return state.version
            }
            if let version { return version }
        }
    }

    /// Empties the slot if nothing has been put there since; returns whether it did.
    func clear(_ version: UInt64) -> Bool {
        let old = state.withLock { state -> State? in
            guard state.version == version else { return nil }
            mayHold.store(false, ordering: .releasing)
            return state.replace(by: State())
        }
        return old != nil
    }

    private static func content(_ delegate: Delegate?, retained: Bool) -> State {
        guard let delegate else { return State() }
        return State(
            reference: WeakDelegate(delegate), keeper: retained ? delegate as AnyObject : nil)
    }
}
