// SPDX-License-Identifier: MIT
public import Synchronization

/// A list of delegates that are held weakly and called in the order in which they were added.
///
/// The list may be used from any thread and changed during a call. A removed delegate is no longer
/// called. An added delegate is called from the next call on.
public final class MulticastDelegate<Delegate>: Sendable {
    /// One entry of the list. `isRemoved` lets calls in progress skip a removed delegate.
    private final class Member: Sendable {
        let reference: WeakDelegate<Delegate>
        let isRemoved = Atomic(false)

        init(_ delegate: Delegate) { reference = WeakDelegate(delegate) }

        /// The delegate to call; `nil` if it has been removed or deallocated.
        var delegate: Delegate? { isRemoved.load(ordering: .acquiring) ? nil : reference.value }
    }

    private let members = Locked<[Member]>([])
    // This is outside the lock, so that calling an empty list costs one atomic load.
    @usableFromInline let memberCount = Atomic(0)

    /// Creates an empty list.
    public init() {}

    /// Whether the list is not empty. Delegates that have been deallocated may still be in the
    /// list.
    @inlinable var isOccupied: Bool { memberCount.load(ordering: .acquiring) > 0 }

    /// Adds a delegate at the end. A delegate that is already in the list keeps its position.
    public func add(_ delegate: Delegate) {
        let member = Member(delegate)
        let object = delegate as AnyObject
        let dead = deadMembers()
        members.withLock { members in
            members.removeAll { member in dead.contains { $0 === member } }
            guard !members.contains(where: { $0.reference.refers(to: object) }) else { return }
            members.append(member)
            memberCount.store(members.count, ordering: .releasing)
        }
    }

    /// Removes a delegate. Does nothing if it is not in the list.
    public func remove(_ delegate: Delegate) {
        let object = delegate as AnyObject
        let dead = deadMembers()
        members.withLock { members in
            members.removeAll { member in
                guard member.reference.refers(to: object) else {
                    return dead.contains { $0 === member }
                }
                member.isRemoved.store(true, ordering: .releasing)
                return true
            }
            memberCount.store(members.count, ordering: .releasing)
        }
    }

    /// Removes all delegates.
    public func removeAll() {
        members.withLock { members in
            for member in members { member.isRemoved.store(true, ordering: .releasing) }
            members = []
            memberCount.store(0, ordering: .releasing)
        }
    }

    /// Returns whether `delegate` is in the list.
    public func contains(_ delegate: Delegate) -> Bool {
        let object = delegate as AnyObject
        return members.withLock { $0.contains { $0.reference.refers(to: object) } }
    }

    /// The number of delegates in the list that have not been deallocated.
    public var count: Int {
        members.withLock { $0 }.count { $0.reference.value != nil }
    }

    /// Whether the list is empty, apart from delegates that have been deallocated.
    public var isEmpty: Bool { count == 0 }

    /// Calls `body` with each delegate, on this thread. If `body` throws an error, stops and
    /// rethrows it.
    public func forEach<Failure: Error>(
        _ body: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        for member in members.withLock({ $0 }) {
            if let delegate = member.delegate { try body(delegate) }
        }
    }

    /// Calls `body` with one delegate after the other. If `body` throws an error, stops and
    /// rethrows it.
    public func forEach<Failure: Error>(
        _ body: (Delegate) async throws(Failure) -> Void
    ) async throws(Failure) {
        for member in members.withLock({ $0 }) {
            if let delegate = member.delegate { try await body(delegate) }
        }
    }

    /// Returns the members whose delegates have been deallocated. Keep them until they are
    /// compared: a new member may have the address of a freed one.
    ///
    /// The search runs outside the lock: it may release the last reference to a delegate whose
    /// deinit uses this list.
    private func deadMembers() -> [Member] {
        members.withLock { $0 }.filter { $0.reference.value == nil }
    }
}
