// SPDX-License-Identifier: MIT
import GPSIO
import Synchronization

/// Identifies the receiver that a source reads. Equal identities mean the same receiver.
public struct SourceIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The name from which the identity was created.
    public let description: String

    /// Creates an identity from a name that is unique to the receiver, such as its real path.
    public init(_ name: String) {
        description = name
    }

    /// Creates the identity of the node that a path currently resolves to.
    public init(path: String) {
        self.init(Node(path).realPath)
    }

    /// Returns an identity that differs from all others.
    public static func unique() -> SourceIdentity {
        let (_, number) = counter.add(1, ordering: .relaxed)
        return SourceIdentity("#\(number)")
    }

    /// The identity of a source that reads any receiver that is plugged in.
    package static let anyReceiver = SourceIdentity("any receiver")

    private static let counter = Atomic<UInt64>(0)
}
