// SPDX-License-Identifier: MIT

/// The root of a Merkle tree, which identifies the tree and its public keys.
package struct MerkleRoot: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Returns `nil` unless there are 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }
}

/// The nodes that lead from a leaf of a Merkle tree to its root.
package struct MerklePath: Hashable, Sendable {
    /// The number of the leaf, 0 to 15.
    package let leaf: Int
    /// The nodes beside the path, from the lowest one.
    package let nodes: [[UInt8]]

    /// Returns `nil` unless there are four nodes of 32 bytes.
    package init?(leaf: Int, nodes: [[UInt8]]) {
        guard 0..<16 ~= leaf, nodes.count == 4, nodes.allSatisfy({ $0.count == 32 }) else {
            return nil
        }
        (self.leaf, self.nodes) = (leaf, nodes)
    }

    func root(of content: [UInt8], _ cryptography: some Cryptography) -> MerkleRoot? {
        var hash = cryptography.digest(.sha256, content)
        for (level, node) in nodes.enumerated() {
            hash = hash.flatMap {
                cryptography.digest(.sha256, leaf >> level & 1 == 0 ? $0 + node : node + $0)
            }
        }
        return hash.flatMap { MerkleRoot($0) }
    }
}

/// The part of a Merkle tree that is published: some nodes, and public keys. The nodes are verified: each
/// is a hash of nodes that lead to the root.
package struct MerkleTree: Sendable {
    /// The number of a node: its level, 0 for the hashes of the leaves, and its place in the level.
    package struct Place: Hashable, Sendable {
        package let level, index: Int

        package init(level: Int, index: Int) { (self.level, self.index) = (level, index) }
    }

    package let root: MerkleRoot
    /// The keys that the tree contains.
    package private(set) var keys: [Key<Verified>] = []
    private var nodes: [Place: [UInt8]]

    /// The level of the root.
    private static let top = 4

    /// Reads published nodes and keys with the numbers of their leaves. Returns `nil` if there is no
    /// key, or if a key and the nodes beside its path do not give the root.
    package init?(
        nodes: [Place: [UInt8]], keys: [(leaf: Int, key: Key<Unverified>)],
        _ cryptography: some Cryptography
    ) {
        guard let top = nodes[Place(level: Self.top, index: 0)].flatMap({ MerkleRoot($0) }) else {
            return nil
        }
        root = top
        var known = nodes
        for (leaf, key) in keys {
            known[Place(level: 0, index: leaf)] = cryptography.digest(.sha256, key.leaf)
        }
        self.nodes = [Place(level: Self.top, index: 0): top.bytes]
        for (leaf, key) in keys {
            let beside = (0..<Self.top).compactMap { level in
                known[Place(level: level, index: leaf >> level ^ 1)]
            }
            guard let path = MerklePath(leaf: leaf, nodes: beside),
                let key = key.verified(by: path, to: root, cryptography)
            else { return nil }
            self.keys.append(key)
            for (level, node) in beside.enumerated() {
                self.nodes[Place(level: level, index: leaf >> level ^ 1)] = node
            }
        }
        guard !self.keys.isEmpty else { return nil }
    }

    /// Whether the tree contains a key as a leaf; `nil` if the published nodes do not say.
    package func contains(
        _ key: Key<Unverified>, leaf: Int, _ cryptography: some Cryptography
    ) -> Bool? {
        guard 0..<1 << Self.top ~= leaf else { return false }
        if keys.contains(where: { $0.id == key.id && $0.point == key.point }) { return true }
        var hash = cryptography.digest(.sha256, key.leaf)
        for level in 0...Self.top {
            let index = leaf >> level
            if let known = nodes[Place(level: level, index: index)] { return known == hash }
            guard let beside = nodes[Place(level: level, index: index ^ 1)] else { return nil }
            hash = hash.flatMap {
                cryptography.digest(.sha256, index & 1 == 0 ? $0 + beside : beside + $0)
            }
        }
        return nil
    }
}
