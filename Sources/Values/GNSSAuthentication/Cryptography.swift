// SPDX-License-Identifier: MIT
import CGPSCrypto
import GNSS

/// The hashes of Galileo's chains of keys.
package enum HashFunction: UInt8, Sendable {
    case sha256 = 0
    case sha3 = 2
}

/// The functions of Galileo's tags.
package enum TagFunction: UInt8, Sendable {
    case hmac = 0
    case cmac = 1
}

/// The elliptic curves of Galileo's signatures.
package enum Curve: UInt8, Sendable {
    case p256 = 1
    case p521 = 3

    /// The number of bytes of a coordinate, and of each half of a signature.
    package var size: Int { self == .p256 ? 32 : 66 }
}

/// The cryptographic functions that authentication needs. Each returns `nil` or `false` if it fails.
package protocol Cryptography: Sendable {
    func digest(_ function: HashFunction, _ message: [UInt8]) -> [UInt8]?
    func code(_ function: TagFunction, key: [UInt8], _ message: [UInt8]) -> [UInt8]?
    /// Returns whether `signature`, the numbers r and s, is that of the message by the owner of a
    /// public key, a compressed point.
    func verifies(_ signature: [UInt8], of message: [UInt8], _ curve: Curve, point: [UInt8]) -> Bool
}

/// The functions of OpenSSL's libcrypto, which is loaded at the first use.
package struct Libcrypto: Cryptography {
    /// Loads the library. Returns the name of what is missing, if it cannot be used.
    package static var missing: String? { ccrypto_missing().map { String(cString: $0) } }

    package init() {}

    fileprivate static func result(
        upTo size: Int32 = CCRYPTO_MAXIMUM, _ body: (UnsafeMutablePointer<UInt8>) -> Int
    ) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            count = buffer.baseAddress.map(body) ?? 0
        }
        return bytes.isEmpty ? nil : bytes
    }

    package func digest(_ function: HashFunction, _ message: [UInt8]) -> [UInt8]? {
        let name = function == .sha256 ? "SHA256" : "SHA3-256"
        return Self.result { ccrypto_digest(name, message, message.count, $0) }
    }

    package func code(_ function: TagFunction, key: [UInt8], _ message: [UInt8]) -> [UInt8]? {
        let (name, part) =
            function == .hmac ? ("HMAC", "SHA256") : ("CMAC", "AES-\(key.count * 8)-CBC")
        return Self.result { ccrypto_mac(name, part, key, key.count, message, message.count, $0) }
    }

    package func verifies(
        _ signature: [UInt8], of message: [UInt8], _ curve: Curve, point: [UInt8]
    ) -> Bool {
        guard signature.count == 2 * curve.size, point.count == curve.size + 1 else { return false }
        let (group, hash) = curve == .p256 ? ("prime256v1", "SHA256") : ("secp521r1", "SHA512")
        let sequence =
            Self.der(signature.prefix(curve.size)) + Self.der(signature.suffix(curve.size))
        let long: [UInt8] = sequence.count > 127 ? [0x81] : []
        let signature = [0x30] + long + [UInt8(truncatingIfNeeded: sequence.count)] + sequence
        return ccrypto_verify(
            group, hash, point, point.count, signature, signature.count, message, message.count)
            == 1
    }

    /// A number as an `INTEGER` of DER.
    private static func der(_ number: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = Array(number.drop { $0 == 0 })
        if bytes.first.map({ $0 > 127 }) ?? true { bytes.insert(0, at: 0) }
        return [2, UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }
}

/// A key with which this process signs simulated messages. It is made at the first use, and exists only in
/// this process, so that no other program can sign with it.
package struct TestKey: Sendable {
    package let key: Key<Unverified>

    /// Returns `nil` without libcrypto.
    package init?() {
        // The mark of a point with both coordinates, which is compressed here.
        guard let point = Libcrypto.result(upTo: CCRYPTO_POINT, { ccrypto_test_point($0) }),
            point.count == 2 * Curve.p256.size + 1, point[0] == 4
        else { return nil }
        let compressed = [2 | point[2 * Curve.p256.size] & 1] + point[1...Curve.p256.size]
        guard let key = Key<Unverified>(id: 1, curve: .p256, point: compressed) else { return nil }
        self.key = key
    }

    /// Returns the numbers r and s of a message's signature.
    func signature(of message: [UInt8]) -> [UInt8]? {
        let signature = Libcrypto.result(upTo: CCRYPTO_SIGNATURE) {
            ccrypto_test_sign(message, message.count, $0)
        }
        // A sequence of two integers, in DER.
        guard var rest = signature?.dropFirst(2) else { return nil }
        var numbers: [UInt8] = []
        for _ in 0..<2 {
            guard rest.popFirst() == 2, let count = rest.popFirst(), rest.count >= count else {
                return nil
            }
            let number = rest.prefix(Int(count)).drop { $0 == 0 }
            guard number.count <= Curve.p256.size else { return nil }
            numbers += repeatElement(0, count: Curve.p256.size - number.count) + number
            rest = rest.dropFirst(Int(count))
        }
        return numbers
    }

    /// A Merkle tree that contains the key, in the form of published ones.
    package func tree(_ cryptography: some Cryptography) -> String? {
        let beside = (0..<4).compactMap { level in
            cryptography.digest(.sha256, Array("simulated \(level)".utf8))
        }
        guard let path = MerklePath(leaf: 0, nodes: beside),
            let root = path.root(of: key.leaf, cryptography)
        else { return nil }
        func node(_ level: Int, _ index: Int, _ hash: [UInt8]) -> String {
            "<TreeNode><j>\(level)</j><i>\(index)</i><x_ji>"
                + Hexadecimal.text(hash, isUppercase: true) + "</x_ji></TreeNode>\n"
        }
        let point = Hexadecimal.text(key.point, isUppercase: true)
        let nodes = beside.enumerated().map { node($0, 1, $1) }.joined() + node(4, 0, root.bytes)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- Simulated by gpsbridge: this key is not Galileo's. -->
            <signalData><body><MerkleTree>
            <State>Simulated</State><N>16</N><HashFunction>SHA-256</HashFunction>
            <PublicKey><i>0</i><PKID>\(key.id)</PKID><point>\(point)</point>
            <PKType>ECDSA P-256/SHA-256</PKType></PublicKey>
            \(nodes)</MerkleTree></body></signalData>

            """
    }
}
