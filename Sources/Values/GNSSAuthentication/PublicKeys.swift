// SPDX-License-Identifier: MIT

/// The state of a key that was read but not checked. It can verify nothing.
package enum Unverified: Sendable {}

/// The state of a key that a user installed, or that a Merkle tree contains.
package enum Verified: Sendable {}

/// A public key of Galileo, with which it signs the roots of its chains of keys.
package struct Key<State: Sendable>: Hashable, Sendable {
    /// The key's number (PKID), 1 to 15. It is unique in its tree only.
    package let id: UInt8
    package let curve: Curve
    /// The compressed point.
    package let point: [UInt8]
    /// The tree that contains the key, if it is known.
    package let root: MerkleRoot?
}

extension Key where State == Unverified {
    /// Returns `nil` if the number or the form of the point is impossible.
    package init?(id: UInt8, curve: Curve, point: [UInt8]) {
        guard 1...15 ~= id, point.count == curve.size + 1, point[0] == 2 || point[0] == 3 else {
            return nil
        }
        (self.id, self.curve, self.point, root) = (id, curve, point, nil)
    }

    /// The leaf of the key in a Merkle tree.
    package var leaf: [UInt8] { [curve.rawValue << 4 | id] + point }

    /// Verifies the key by its place in a Merkle tree. Returns `nil` if the tree does not contain it.
    package func verified(
        by path: MerklePath, to root: MerkleRoot, _ cryptography: some Cryptography
    ) -> Key<Verified>? {
        guard path.root(of: leaf, cryptography) == root else { return nil }
        return Key<Verified>(id: id, curve: curve, point: point, root: root)
    }

    /// The key that a user has installed as one of Galileo's.
    package func installed(in root: MerkleRoot?) -> Key<Verified> {
        Key<Verified>(id: id, curve: curve, point: point, root: root)
    }
}

extension Key where State == Verified {
    func verifies(_ signature: [UInt8], of message: [UInt8], _ cryptography: some Cryptography)
        -> Bool
    {
        cryptography.verifies(signature, of: message, curve, point: point)
    }
}

/// The valid trees and public keys, with which authentication starts.
package struct KeyRing: Hashable, Sendable {
    /// A public key that must not be used again.
    package struct Revocation: Hashable, Sendable {
        package let root: MerkleRoot?
        package let id: UInt8

        package init(root: MerkleRoot?, id: UInt8) { (self.root, self.id) = (root, id) }
    }

    /// The trees, the one in force first.
    package private(set) var roots: [MerkleRoot] = []
    package private(set) var keys: [Key<Verified>] = []
    /// The keys that have been revoked or replaced, which cannot be added.
    package private(set) var revocations: Set<Revocation> = []
    /// The trees that Galileo has warned about. They cannot be added.
    package private(set) var distrusted: Set<MerkleRoot> = []
    /// Whether Galileo has warned of its own keys: nothing is authenticated until a user installs
    /// another tree.
    package private(set) var isAlert = false
    /// The chain in force, if it is known; it is verified when it is used.
    package var chain: StoredChain?

    package init() {}

    package var isEmpty: Bool { roots.isEmpty && keys.isEmpty }

    /// Adds a tree after the others. Returns `false` if Galileo has warned of it.
    @discardableResult package mutating func add(_ root: MerkleRoot) -> Bool {
        guard !distrusted.contains(root) else { return false }
        if !roots.contains(root) { roots.append(root) }
        isAlert = false
        return true
    }

    /// Adds a key. Returns `false` if it was revoked or replaced, or an alert forbids it.
    @discardableResult package mutating func add(_ key: Key<Verified>) -> Bool {
        guard !isAlert, !revocations.contains(Revocation(root: key.root, id: key.id)),
            key.root.map({ !distrusted.contains($0) }) ?? true
        else { return false }
        // A key that a tree contains replaces one that a user installed without its tree.
        keys.removeAll { $0.id == key.id && ($0.root == key.root || $0.point == key.point) }
        keys.append(key)
        return true
    }

    /// Removes a key for good.
    package mutating func revoke(_ id: UInt8, in root: MerkleRoot?) {
        revocations.insert(Revocation(root: root, id: id))
        // Its root may be signed with this key.
        chain = nil
        keys.removeAll { $0.id == id && $0.root == root }
    }

    /// Removes what a key in use replaces: the trees before its own and their keys, and those of its
    /// tree with lower numbers, or all others if they are revoked. Returns their numbers.
    mutating func replace(by key: Key<Verified>, areRevoked: Bool) -> [UInt8] {
        let index = key.root.flatMap { roots.firstIndex(of: $0) } ?? 0
        let oldRoots = roots.prefix(index)
        let old = keys.filter { other in
            guard other != key else { return false }
            if areRevoked { return true }
            if other.root == key.root { return other.id < key.id }
            return other.root.map { oldRoots.contains($0) } ?? false
        }
        roots.removeFirst(index)
        for other in old { revoke(other.id, in: other.root) }
        return old.map(\.id)
    }

    /// Removes everything after an alert. It warns about `trees`.
    package mutating func alert(_ trees: [MerkleRoot]) {
        distrusted.formUnion(trees)
        (roots, keys, isAlert, chain) = ([], [], true, nil)
    }
}
