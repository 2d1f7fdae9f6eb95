// SPDX-License-Identifier: MIT
import Delegation

/// The observers of a session, in the order in which they joined. It is a part of the session's
/// state and calls no observer: the session gets one after the other from it, and calls each one
/// without holding a lock.
struct SessionObservers: Sendable {
    typealias Observer = @Sendable (ReceiverUpdate) -> Void

    /// One observer's subscription.
    struct Entry: Sendable {
        enum Status {
            /// The observer has not yet received the receiver's current condition, so it gets no
            /// updates.
            case pending
            case open
            /// The session had ended, so the observer has joined a new session with this
            /// subscription.
            case renewed(ScopedSubscription)
        }

        /// The position in the order of joining, from 1.
        let id: Int
        let member: SessionMember?
        /// The session of the vote that this observer serves; `nil` if it serves none.
        let vote: ReceiverSession?
        let observer: Observer
        var status = Status.pending

        /// Whether the observer gets updates.
        var isOpen: Bool { if case .open = status { true } else { false } }

        /// The member for which the source must wait: that of this observer, or one that reads the
        /// results of its vote; `nil` if there is none.
        var fullMember: SessionMember? {
            if let member, !member.flow.isClear { return member }
            return vote?.fullMember
        }
    }

    /// The observers that have not left.
    private(set) var entries: [Entry] = []
    private var joinCount = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Adds an observer, which gets no updates yet. Returns its id.
    mutating func add(
        _ member: SessionMember?, vote: ReceiverSession?, _ observer: @escaping Observer
    ) -> Int {
        joinCount += 1
        entries.append(Entry(id: joinCount, member: member, vote: vote, observer: observer))
        return joinCount
    }

    /// Removes an observer and returns it; `nil` if it has left. Release it without holding a lock:
    /// that may run user code, and ends the subscription to a new session.
    mutating func remove(_ id: Int) -> Entry? {
        index(of: id).map { entries.remove(at: $0) }
    }

    /// Changes the status of an observer. Does nothing if it has left.
    mutating func set(_ status: Entry.Status, of id: Int) {
        if let index = index(of: id) { entries[index].status = status }
    }

    /// Returns an observer; `nil` if it has left.
    subscript(id: Int) -> Entry? { index(of: id).map { entries[$0] } }

    /// Returns the first observer after `id` that gets updates; `nil` if there is none.
    func next(after id: Int) -> (id: Int, observer: Observer)? {
        entries.first { $0.id > id && $0.isOpen }.map { ($0.id, $0.observer) }
    }

    private func index(of id: Int) -> Int? { entries.firstIndex { $0.id == id } }
}
