// SPDX-License-Identifier: MIT

/// Whether the navigation data of a satellite come from Galileo's ground segment.
package enum AuthenticationVerdict: Hashable, Sendable {
    /// The latest data fit a tag that was checked at most five minutes ago.
    case authenticated
    /// The last tag that was checked does not fit the latest data.
    case failed
    case unknown(Reason)

    /// Why nothing is known.
    package enum Reason: String, Sendable {
        /// Neither a public key nor a tree is installed.
        case noKey = "no public key is installed"
        /// No root of a chain has been verified.
        case noRoot = "the root of Galileo's chain of keys is awaited"
        /// The independent clock is missing or not good enough.
        case noClock = "no independent clock is good enough"
        case doNotUse = "Galileo says that its signatures must not be used"
        case alert = "Galileo has warned of its own keys"
        case unknownOrder = "the order of the tags is not known"
        /// The satellite has not sent all of its data, or they are new.
        case newData = "the data are new"
        /// The tags of the satellite's own data say that they prove nothing.
        case dummy = "the satellite's tags prove nothing"
        case noTag = "no tag was received for these data"
    }

    /// The letter in lists: A, F or U.
    package var letter: Character {
        switch self {
        case .authenticated: "A"
        case .failed: "F"
        case .unknown: "U"
        }
    }
}

/// How much has been verified.
package struct AuthenticationCounts: Hashable, Sendable {
    /// A count of each kind of tag.
    package struct ByKind: Hashable, Sendable {
        package var orbit = 0, timing = 0, slowOrbit = 0

        package subscript(kind: TagKind) -> Int {
            get {
                switch kind {
                case .orbit: orbit
                case .timing: timing
                case .slowOrbit: slowOrbit
                }
            }
            set {
                switch kind {
                case .orbit: orbit = newValue
                case .timing: timing = newValue
                case .slowOrbit: slowOrbit = newValue
                }
            }
        }

        package var total: Int { orbit + timing + slowOrbit }
    }

    package var subframes = 0
    /// Roots of chains, those without a known public key, and public keys.
    package var roots = 0, badRoots = 0, rootsWithoutKey = 0
    package var publicKeys = 0, badPublicKeys = 0
    package var keys = 0, badKeys = 0, distinctKeys = 0
    package var sequences = 0, badSequences = 0
    package var tags = ByKind(), badTags = ByKind()
    /// Tags that fit only an earlier word 5, which are neither good nor bad.
    package var olderTags = ByKind()
    package var unsynchronisedTags = ByKind()
    /// Good and bad tags that prove nothing.
    package var dummies = 0, badDummies = 0
    /// Tags whose data were not received.
    package var uncheckedTags = 0
    /// Tags that do not fit their place in the order.
    package var misfits = 0

    package var bad: Int { badTags.total + badDummies }
}

/// A report of the authentication of Galileo.
package enum AuthenticationEvent: Sendable {
    /// A root of a chain was verified, and differs from the last one.
    case root(ChainRoot)
    /// The signature of a root is wrong, or its public key is not known.
    case badRoot(publicKey: UInt8, isKnown: Bool)
    /// A public key was verified by the tree in force, or by a new one, and differs from the last one.
    case publicKey(SentKey, isNewTree: Bool)
    case chainInUse(UInt8)
    case chainStored(UInt8)
    case chainDropped(UInt8)
    case publicKeyDropped(UInt8)
    case publicKeyReplaced(UInt8, by: UInt8)
    case alert
    case subframe(AuthenticationReport)
}

extension AuthenticationEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .root(let root):
            "root of chain \(root.chain), signed with public key \(root.publicKey): "
                + "status \(root.header.status), chain in force \(root.header.chain), "
                + "key status \(root.header.keyStatus), from \(root.start), order \(root.tagOrder)"
        case .badRoot(let key, true): "a root with a wrong signature of public key \(key)"
        case .badRoot(let key, false):
            "a root signed with public key \(key), which is not installed"
        case .publicKey(let sent, let isNewTree):
            switch sent.content {
            case .key(let key):
                "public key \(key.id) received, in \(isNewTree ? "a new" : "the") tree"
            case .alert: "alert received"
            }
        case .chainInUse(let chain): "chain \(chain) in use"
        case .chainStored(let chain): "next chain \(chain) stored"
        case .chainDropped(let chain): "chain \(chain) dropped"
        case .publicKeyDropped(let key): "public key \(key) dropped"
        case .publicKeyReplaced(let key, let newer): "public key \(key) replaced by \(newer)"
        case .alert: "alert: Galileo has warned of its own keys"
        case .subframe(let report): "sub-frame \(report.start)"
        }
    }
}

/// The verdicts at the end of a sub-frame.
package struct AuthenticationReport: Sendable {
    package let start: GalileoTime
    /// The satellites whose pages were received in the sub-frame.
    package let verdicts: [(satellite: UInt8, verdict: AuthenticationVerdict)]
}
