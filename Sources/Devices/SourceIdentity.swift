// SPDX-License-Identifier: MIT
import Synchronization

/// What tells two sources apart: equal identities mean the same receiver.
public struct SourceIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The name it was made from.
    public let description: String

    /// Makes an identity from a name that is the same for the same receiver, such as its real path.
    public init(_ name: String) {
        description = name
    }

    /// Makes the identity of what a path leads to now.
    public init(path: String) {
        self.init(Node(path).realPath)
    }

    /// Makes an identity that equals no other.
    public static func unique() -> SourceIdentity {
        let (_, number) = counter.add(1, ordering: .relaxed)
        return SourceIdentity("#\(number)")
    }

    private static let counter = Atomic<UInt64>(0)
}
