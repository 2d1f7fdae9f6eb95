// SPDX-License-Identifier: MIT

/// The first byte of a satellite's sub-frame: the state of the service.
package struct ServiceHeader: Hashable, Sendable {
    package let byte: UInt8

    package init(byte: UInt8) { self.byte = byte }

    /// The status (NMAS): 1 test, 2 operational, 3 don't use.
    package var status: UInt8 { byte >> 6 }
    /// The number of the chain in force (CID).
    package var chain: UInt8 { byte >> 4 & 3 }
    /// The state of chains and keys (CPKS): 1 nominal, 2 end of chain, 3 chain revoked, 4 new public
    /// key, 5 public key revoked, 6 new Merkle tree, 7 alert.
    package var keyStatus: UInt8 { byte >> 1 & 7 }

    /// Whether tags may be used.
    package var isUsable: Bool { status == 1 || status == 2 }
}

/// A message that satellites send in blocks (DSM): the root of a chain of keys, or a public key.
struct SignedMessage: Hashable {
    static let blockSize = 13

    /// 0 to 11 for the root of a chain, otherwise for a public key.
    let id: UInt8
    let header: ServiceHeader
    let bytes: [UInt8]

    static func isKey(_ id: UInt8) -> Bool { id >= 12 }

    /// The number of blocks, by the first byte of the first block; `nil` if it is impossible.
    static func blockCount(_ first: UInt8, id: UInt8) -> Int? {
        let code = Int(first >> 4)
        return isKey(id) ? (7...10 ~= code ? code + 6 : nil) : (1...8 ~= code ? code + 6 : nil)
    }
}

/// Collects the blocks of signed messages, which satellites send in different orders. The memory is
/// bounded.
struct BlockCollector {
    private struct Set {
        let id: UInt8
        let header: ServiceHeader
        var blocks = [[UInt8]?](repeating: nil, count: 16)
        var latest: GalileoTime
    }

    private static let maximumSets = 16
    /// The seconds after which an incomplete message is dropped.
    private static let lifetimes = (root: 3600, key: 13 * 3600)

    private var sets: [Set] = []

    /// Adds a block: the header, the message's number and that of the block, and 13 bytes. Returns the
    /// message that it completes. A block that differs from an earlier one begins the message anew.
    mutating func add(_ bytes: [UInt8], at time: GalileoTime) -> SignedMessage? {
        guard bytes.count == 2 + SignedMessage.blockSize else { return nil }
        let (header, id, number) = (
            ServiceHeader(byte: bytes[0]), bytes[1] >> 4, Int(bytes[1] & 15)
        )
        let isKey = SignedMessage.isKey(id)
        sets.removeAll {
            let lifetime = SignedMessage.isKey($0.id) ? Self.lifetimes.key : Self.lifetimes.root
            return time - $0.latest > lifetime
        }
        let index: Int
        if let known = sets.firstIndex(where: { $0.id == id && (isKey || $0.header == header) }) {
            index = known
        } else {
            if sets.count == Self.maximumSets,
                let oldest = sets.indices.min(by: { sets[$0].latest < sets[$1].latest })
            {
                sets.remove(at: oldest)
            }
            sets.append(Set(id: id, header: header, latest: time))
            index = sets.count - 1
        }
        let block = Array(bytes.dropFirst(2))
        if let held = sets[index].blocks[number], held != block {
            sets[index].blocks = [[UInt8]?](repeating: nil, count: 16)
        }
        sets[index].blocks[number] = block
        sets[index].latest = time
        guard let first = sets[index].blocks[0]?.first,
            let count = SignedMessage.blockCount(first, id: id)
        else { return nil }
        let blocks = sets[index].blocks.prefix(count).compactMap(\.self)
        guard blocks.count == count else { return nil }
        sets.remove(at: index)
        return SignedMessage(id: id, header: header, bytes: blocks.flatMap(\.self))
    }
}

/// The root of a chain of keys (DSM-KROOT), which Galileo signs.
package struct ChainRoot: Hashable, Sendable {
    package let header: ServiceHeader
    /// The number of the public key whose owner signed it (PKID).
    package let publicKey: UInt8
    /// The number of the chain (CIDKR).
    package let chain: UInt8
    package let hash: HashFunction
    package let function: TagFunction
    /// The sizes of keys and tags in bits.
    package let keySize, tagSize: Int
    /// The number of the order in which tags are sent (MACLT).
    package let tagOrder: UInt8
    /// When the chain begins: its first key is sent then. The root is the key before it.
    package let start: GalileoTime
    let alpha: [UInt8]
    let key: [UInt8]
    /// The number of bytes of the message that contained it.
    package let size: Int

    private let signedBytes: [UInt8]
    private let rest: ArraySlice<UInt8>

    private static let keySizes = [96, 104, 112, 120, 128, 160, 192, 224, 256]
    private static let tagSizes = [20, 24, 28, 32, 40]

    /// Reads a message. Returns `nil` if a number in it is not defined.
    init?(_ message: SignedMessage, near time: GalileoTime) {
        let bytes = message.bytes
        guard bytes.count > 13, let hash = HashFunction(rawValue: bytes[1] >> 2 & 3),
            let function = TagFunction(rawValue: bytes[1] & 3),
            Self.keySizes.indices.contains(Int(bytes[2] >> 4)),
            5...9 ~= bytes[2] & 15, bytes[6] < 168
        else { return nil }
        header = message.header
        publicKey = bytes[0] & 15
        chain = bytes[1] >> 6
        (self.hash, self.function) = (hash, function)
        (keySize, tagSize) = (
            Self.keySizes[Int(bytes[2] >> 4)], Self.tagSizes[Int(bytes[2] & 15) - 5]
        )
        tagOrder = bytes[3]
        start = time.nearest(
            week: Int(bytes[4] & 15) << 8 | Int(bytes[5]), timeOfWeek: Int(bytes[6]) * 3600)
        alpha = Array(bytes[7..<13])
        let end = 13 + keySize / 8
        guard bytes.count > end else { return nil }
        key = Array(bytes[13..<end])
        signedBytes = [message.header.byte] + bytes[1..<end]
        rest = bytes[end...]
        size = bytes.count
    }

    /// The state of the service, and the message that contained the root.
    var bytes: [UInt8] {
        let count = UInt8(truncatingIfNeeded: size / SignedMessage.blockSize - 6)
        return [header.byte, count << 4 | publicKey] + signedBytes.dropFirst() + rest
    }

    /// Returns whether a key's owner signed the root.
    func isSigned(by key: Key<Verified>, _ cryptography: some Cryptography) -> Bool {
        let signature = Array(rest.prefix(2 * key.curve.size))
        let padding = rest.dropFirst(signature.count)
        guard let hash = cryptography.digest(.sha256, signedBytes + signature),
            hash.starts(with: padding)
        else { return false }
        return key.verifies(signature, of: signedBytes, cryptography)
    }
}

/// A public key that satellites send (DSM-PKR), with its place in a Merkle tree, or an alert.
package struct SentKey: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case key(Key<Unverified>)
        /// Galileo warns of its own keys.
        case alert
    }

    package let content: Content
    let path: MerklePath
    /// The number of the message, and of its bytes.
    package let message: UInt8
    package let size: Int
    private let leaf: [UInt8]
    private let padding: ArraySlice<UInt8>

    private static let leafStart = 1 + 4 * 32
    private static let alertType: UInt8 = 4

    /// The number of the key's leaf in the tree (MID).
    package var place: Int { path.leaf }

    init?(_ message: SignedMessage) {
        let bytes = message.bytes
        let nodes = stride(from: 1, to: Self.leafStart, by: 32).map {
            Array(bytes[min($0, bytes.count)..<min($0 + 32, bytes.count)])
        }
        guard bytes.count > Self.leafStart,
            let path = MerklePath(leaf: Int(bytes[0] & 15), nodes: nodes)
        else { return nil }
        let rest = bytes[Self.leafStart...]
        let (type, id) = (bytes[Self.leafStart] >> 4, bytes[Self.leafStart] & 15)
        if type == Self.alertType, id == 0 {
            content = .alert
            leaf = Array(rest)
        } else {
            guard let curve = Curve(rawValue: type),
                let key = Key<Unverified>(
                    id: id, curve: curve, point: Array(rest.dropFirst().prefix(curve.size + 1)))
            else { return nil }
            content = .key(key)
            leaf = key.leaf
        }
        self.path = path
        self.message = message.id
        padding = rest.dropFirst(leaf.count)
        size = bytes.count
    }

    /// Returns the first of the trees that contains the message.
    func root(among roots: [MerkleRoot], _ cryptography: some Cryptography) -> MerkleRoot? {
        guard let root = path.root(of: leaf, cryptography), roots.contains(root),
            let hash = cryptography.digest(.sha256, root.bytes + leaf), hash.starts(with: padding)
        else { return nil }
        return root
    }
}
