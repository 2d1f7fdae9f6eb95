// SPDX-License-Identifier: MIT

/// The root of a chain of keys, and a key of the chain, as an earlier run has verified them. They are
/// verified again before their use.
package struct StoredChain: Hashable, Sendable {
    /// The sub-frame that sent the key.
    package let time: GalileoTime
    package let key: [UInt8]
    /// The state of the service, and the message that contained the root.
    package let root: [UInt8]

    package init(time: GalileoTime, key: [UInt8], root: [UInt8]) {
        (self.time, self.key, self.root) = (time, key, root)
    }

    /// Whether an installed public key's owner has signed the root, and the key is of its chain.
    package func isVerified(by ring: KeyRing, _ cryptography: some Cryptography) -> Bool {
        KeyChain(self, ring, cryptography) != nil
    }
}

/// A chain of keys (TESLA). Each sub-frame discloses the next one. The hash of a key is the
/// one before it, so that a key proves that it belongs to the chain, but does not reveal later ones.
struct KeyChain {
    private(set) var root: ChainRoot
    /// When the chain came into force, if it was announced before.
    let start: GalileoTime?
    /// The latest verified key, or the root.
    private var latest: (time: GalileoTime, key: [UInt8])
    /// The sub-frame of the latest verified key that a satellite sent.
    private var received: GalileoTime?
    private var orders: [[TagSlot]]?
    /// The last key that was not of the chain, which several satellites may send.
    private var wrong: (time: GalileoTime, key: [UInt8])?
    /// Verified keys by the time of their sub-frames in seconds.
    private var keys: [Int: [UInt8]]
    /// The latest verified keys that are kept: those of an hour, as long as tags wait for their keys.
    private static let maximumKeys = 2 * 130

    init(_ root: ChainRoot, isAnnounced: Bool) {
        self.root = root
        orders = TagSlot.orders(root.tagOrder)
        start = isAnnounced ? root.start : nil
        latest = (root.start - GalileoTime.subframe, root.key)
        keys = [latest.time.seconds: root.key]
    }

    /// The hashes that a key may be away from the latest one: those of three days.
    static let maximumHashes = 10_000

    /// Verifies a stored chain. Returns `nil` if it is damaged, or the public key is not installed.
    init?(_ stored: StoredChain, _ ring: KeyRing, _ cryptography: some Cryptography) {
        guard let first = stored.root.first, let number = stored.root.dropFirst().first,
            let count = SignedMessage.blockCount(number, id: 0),
            stored.root.count == 1 + count * SignedMessage.blockSize,
            stored.time == stored.time.subframe
        else { return nil }
        let message = SignedMessage(
            id: 0, header: ServiceHeader(byte: first), bytes: Array(stored.root.dropFirst()))
        guard let root = ChainRoot(message, near: stored.time), root.header.isUsable,
            root.chain == root.header.chain,
            ring.keys.contains(where: {
                $0.id == root.publicKey && root.isSigned(by: $0, cryptography)
            })
        else { return nil }
        self.init(root, isAnnounced: false)
        var budget = Self.maximumHashes
        guard contains(stored.key, at: stored.time, cryptography, budget: &budget) else {
            return nil
        }
    }

    /// The root and the latest key, for the next run.
    var stored: StoredChain {
        StoredChain(time: latest.time, key: latest.key, root: root.bytes)
    }

    /// Returns the verified key of a sub-frame.
    func key(at time: GalileoTime) -> [UInt8]? { keys[time.seconds] }

    /// Whether a key that a satellite sent in the sub-frame or a later one has been verified. Without
    /// one, wrong times would make all tags wrong.
    func hasReceived(_ time: GalileoTime) -> Bool { received.map { $0 >= time } ?? false }

    /// The order of the tags of a sub-frame; `nil` if it is not known.
    func slots(at time: GalileoTime) -> [TagSlot]? {
        orders?[time.seconds % 60 == 0 ? 0 : 1]
    }

    private func previous(
        _ key: [UInt8], at time: GalileoTime, _ cryptography: some Cryptography
    ) -> [UInt8]? {
        let message = key + (time - GalileoTime.subframe).bytes + root.alpha
        return cryptography.digest(root.hash, message).map { Array($0.prefix(root.keySize / 8)) }
    }

    /// Verifies a key that a satellite sent. `budget` is the number of hashes that may still be
    /// computed.
    mutating func verify(
        _ key: [UInt8], at time: GalileoTime, _ cryptography: some Cryptography, budget: inout Int
    ) -> Bool {
        if let wrong, wrong.time == time, wrong.key == key { return false }
        guard contains(key, at: time, cryptography, budget: &budget) else {
            wrong = (time, key)
            return false
        }
        received = max(received ?? time, time)
        return true
    }

    private mutating func contains(
        _ key: [UInt8], at time: GalileoTime, _ cryptography: some Cryptography, budget: inout Int
    ) -> Bool {
        if let known = keys[time.seconds] { return known == key }
        let isLater = time > latest.time
        var (current, currentTime) = isLater ? (key, time) : (latest.key, latest.time)
        let end = isLater ? latest.time : time
        guard (currentTime - end) / GalileoTime.subframe <= budget else { return false }
        var passed: [(Int, [UInt8])] = []
        while currentTime > end {
            guard let before = previous(current, at: currentTime, cryptography) else {
                return false
            }
            budget -= 1
            if passed.count < Self.maximumKeys { passed.append((currentTime.seconds, current)) }
            (current, currentTime) = (before, currentTime - GalileoTime.subframe)
        }
        guard currentTime == end, current == (isLater ? latest.key : key) else { return false }
        keys.merge(passed) { old, _ in old }
        keys[time.seconds] = key
        if isLater { latest = (time, key) }
        if keys.count > 2 * Self.maximumKeys {
            let oldest = latest.time.seconds - Self.maximumKeys * GalileoTime.subframe
            keys = keys.filter { $0.key >= oldest }
        }
        return true
    }

    /// Takes a newer root of the same chain, which moves every hour. Returns `false` if it does not
    /// belong to this chain.
    mutating func update(
        _ newer: ChainRoot, _ cryptography: some Cryptography, budget: inout Int
    ) -> Bool {
        guard newer.alpha == root.alpha, newer.keySize == root.keySize, newer.hash == root.hash,
            contains(
                newer.key, at: newer.start - GalileoTime.subframe, cryptography, budget: &budget)
        else { return false }
        root = newer
        orders = TagSlot.orders(root.tagOrder)
        return true
    }
}
