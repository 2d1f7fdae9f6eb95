// SPDX-License-Identifier: MIT
public import Synchronization

/// One subscriber of an event, active until it is disposed or completed.
@usableFromInline
final class EventObserver<Payload: Sendable>: Sendable {
    let id: UInt64
    @usableFromInline let body: @Sendable (Payload) -> Void
    let onCompletion: @Sendable () -> Void
    @usableFromInline let active = Atomic(true)
    private let live = LiveToken(.observers)

    init(
        id: UInt64, body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.body = body
        self.onCompletion = onCompletion
    }

    @inlinable var isActive: Bool { active.load(ordering: .acquiring) }

    /// Ends delivery and returns whether this call did it.
    @discardableResult
    func deactivate() -> Bool {
        active.exchange(false, ordering: .acquiringAndReleasing)
    }
}
