// SPDX-License-Identifier: MIT
public import Synchronization

/// Several delegates in place of one: held weakly, called in the order they were added.
///
/// May be used from any thread, and changed during a call: a delegate that is removed is not
/// called any more, one that is added is called from the next call on.
public final class MulticastDelegate<Delegate>: Sendable {
    /// A place in the list; taken out of it, it is void for calls already under way too.
    private final class Member: Sendable {
        let reference: WeakDelegate<Delegate>
        let isRemoved = Atomic(false)

        init(_ delegate: Delegate) { reference = WeakDelegate(delegate) }
    }

    private let members = Locked<[Member]>([])
    // Read on every call, so kept beside the lock: an empty list costs one load.
    @usableFromInline let memberCount = Atomic(0)

    /// Creates an empty list.
    public init() {}

    /// Whether a delegate has been added and not removed; it may have gone away since.
    @inlinable var isOccupied: Bool { memberCount.load(ordering: .acquiring) > 0 }

    /// Adds a delegate at the end; one that is in the list keeps its place.
    public func add(_ delegate: Delegate) {
        let member = Member(delegate)
        let object = delegate as AnyObject
        let dead = findDead()
        members.withLock { members in
            members.removeAll { dead.contains(ObjectIdentifier($0)) }
            guard !members.contains(where: { $0.reference.refers(to: object) }) else { return }
            members.append(member)
            memberCount.store(members.count, ordering: .releasing)
        }
    }

    /// Takes a delegate out; does nothing if it isn't in the list.
    public func remove(_ delegate: Delegate) {
        let object = delegate as AnyObject
        let dead = findDead()
        members.withLock { members in
            members.removeAll { member in
                guard member.reference.refers(to: object) else {
                    return dead.contains(ObjectIdentifier(member))
                }
                member.isRemoved.store(true, ordering: .releasing)
                return true
            }
            memberCount.store(members.count, ordering: .releasing)
        }
    }

    /// Takes every delegate out.
    public func removeAll() {
        members.withLock { members in
            for member in members { member.isRemoved.store(true, ordering: .releasing) }
            members = []
            memberCount.store(0, ordering: .releasing)
        }
    }

    /// Whether `delegate` is in the list.
    public func contains(_ delegate: Delegate) -> Bool {
        let object = delegate as AnyObject
        return members.withLock { $0.contains { $0.reference.refers(to: object) } }
    }

    /// How many delegates are in the list and alive.
    public var count: Int {
        members.withLock { $0 }.count { $0.reference.value != nil }
    }

    /// Whether no delegate is in the list and alive.
    public var isEmpty: Bool { count == 0 }

    /// Calls `body` with each delegate, on this thread; stops at the first error and throws it.
    public func forEach<Failure: Error>(
        _ body: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        for member in members.withLock({ $0 }) {
            guard !member.isRemoved.load(ordering: .acquiring) else { continue }
            if let delegate = member.reference.value { try body(delegate) }
        }
    }

    /// Calls `body` with one delegate after the other; stops at the first error and throws it.
    public func forEach<Failure: Error>(
        _ body: (Delegate) async throws(Failure) -> Void
    ) async throws(Failure) {
        for member in members.withLock({ $0 }) {
            guard !member.isRemoved.load(ordering: .acquiring) else { continue }
            if let delegate = member.reference.value { try await body(delegate) }
        }
    }

    /// The members whose delegates are gone, looked for outside the lock: holding a delegate for
    /// a moment may make that the last reference, and its deinit may come back here.
    private func findDead() -> Set<ObjectIdentifier> {
        let members = members.withLock { $0 }
        return Set(members.filter { $0.reference.value == nil }.map(ObjectIdentifier.init))
    }
}
