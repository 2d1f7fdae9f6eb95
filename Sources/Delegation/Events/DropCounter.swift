// SPDX-License-Identifier: MIT
public import Synchronization

/// A count of what a bounded buffer had to drop.
@usableFromInline
final class DropCounter: Sendable {
    @usableFromInline let dropped = Atomic(0)

    @usableFromInline
    init() {}

    var count: Int { dropped.load(ordering: .relaxed) }

    @inlinable
    func increment() {
        dropped.wrappingAdd(1, ordering: .relaxed)
    }
}
