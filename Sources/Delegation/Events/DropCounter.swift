// SPDX-License-Identifier: MIT
import Synchronization

/// A count of what a bounded buffer had to drop.
final class DropCounter: Sendable {
    private let dropped = Atomic(0)

    var count: Int { dropped.load(ordering: .relaxed) }

    func increment() {
        dropped.wrappingAdd(1, ordering: .relaxed)
    }
}
