// SPDX-License-Identifier: MIT
import GNSS
package import GNSSAuthentication
package import GPSFormats

/// A file of the European GNSS Service Centre: a Merkle tree, or a public key of Galileo.
package struct GalileoKeyFile: Sendable {
    package enum Content: Sendable {
        case tree(MerkleTree)
        /// A key, and the number of its leaf in its tree.
        case key(Key<Unverified>, leaf: Int)
    }

    /// The text of an element of the file, by its name.
    private typealias Element = [String: String]

    package let content: Content
    /// Since when it is valid, and until when, as the file says; empty if it does not.
    package let begin, end: String
    /// The state, such as `Applicable`, `Future`, `Renewed` or `Revoked`; empty if the file has none.
    package let state: String

    package var isRevoked: Bool { state == "Revoked" }

    /// Reads a file. `name` is its name for errors.
    ///
    /// - Throws: `InputError` if it is damaged, or a different file.
    package init(_ bytes: [UInt8], name: String, _ cryptography: some Cryptography)
        throws(InputError)
    {
        func error(_ reason: String) -> InputError { InputError(name, reason) }
        let document = KeyDocument()
        guard let parser = XMLParser(file: name, handler: document, isStrict: true) else {
            throw error("out of memory")
        }
        try parser.push(bytes[...], isLast: true)
        guard document.isTree || document.keys.count == 1 else {
            throw error("this is not a Merkle tree and not one public key of Galileo")
        }
        (begin, end, state) =
            (document.text["Begin"] ?? "", document.text["End"] ?? "", document.text["State"] ?? "")
        var keys: [(leaf: Int, key: Key<Unverified>)] = []
        for element in document.keys {
            guard let key = Self.key(element) else {
                throw error("a public key has no valid number, point or type")
            }
            keys.append(key)
        }
        guard document.isTree else {
            content = .key(keys[0].key, leaf: keys[0].leaf)
            return
        }
        var nodes: [MerkleTree.Place: [UInt8]] = [:]
        for element in document.nodes {
            guard let level = element["j"].flatMap({ Int($0) }),
                let index = element["i"].flatMap({ Int($0) }),
                let hash = element["x_ji"].flatMap({ Hexadecimal.bytes($0) }), hash.count == 32
            else { throw error("a node of the tree has no valid place or hash") }
            nodes[MerkleTree.Place(level: level, index: index)] = hash
        }
        guard document.text["HashFunction"].map({ $0 == "SHA-256" }) ?? true,
            let tree = MerkleTree(nodes: nodes, keys: keys, cryptography)
        else { throw error("its public key and nodes do not lead to the root of the tree") }
        content = .tree(tree)
    }

    private static func key(_ element: Element) -> (leaf: Int, key: Key<Unverified>)? {
        let curve: Curve? =
            switch element["PKType"] {
            case let type? where type.contains("P-256"): .p256
            case let type? where type.contains("P-521"): .p521
            default: nil
            }
        guard let curve, let leaf = element["i"].flatMap({ Int($0) }), 0..<16 ~= leaf,
            let id = element["PKID"].flatMap({ UInt8($0) }),
            let point = element["point"].flatMap({ Hexadecimal.bytes($0) }),
            let key = Key<Unverified>(id: id, curve: curve, point: point)
        else { return nil }
        return (leaf, key)
    }
}

/// The elements of a key file that are used.
private final class KeyDocument: XMLHandler {
    private(set) var isTree = false
    /// The text of elements outside keys and nodes.
    private(set) var text: [String: String] = [:]
    private(set) var keys: [[String: String]] = []
    private(set) var nodes: [[String: String]] = []

    private enum Part { case key, node }
    private var part: Part?
    private var element: [String: String] = [:]
    private var characters: [UInt8] = []

    func start(_ name: String, _ attributes: XMLAttributes) throws(XMLReason) {
        characters = []
        switch name {
        case "MerkleTree": isTree = true
        case "PublicKey": part = .key
        case "TreeNode": part = .node
        default: return
        }
        element = [:]
    }

    func add(_ text: UnsafeBufferPointer<UInt8>) throws(XMLReason) {
        guard characters.count + text.count <= 4096 else { throw XMLReason("a text is too long") }
        characters += text
    }

    func end(_ name: String) throws(XMLReason) {
        let content = String(decoding: characters, as: UTF8.self).trimmed
        characters = []
        guard keys.count + nodes.count <= 64 else { throw XMLReason("there are too many nodes") }
        switch (name, part) {
        case ("PublicKey", .key):
            keys.append(element)
            part = nil
        case ("TreeNode", .node):
            nodes.append(element)
            part = nil
        // Outside the key of a key file, too, these are about the whole file.
        case ("Begin", _), ("End", _), ("State", _), ("HashFunction", _): text[name] = content
        case (_, nil): break
        default: element[name] = content
        }
    }
}
