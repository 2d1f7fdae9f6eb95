// SPDX-License-Identifier: MIT
import CGPSCrypto

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

    private func result(_ body: (UnsafeMutablePointer<UInt8>) -> Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(CCRYPTO_MAXIMUM)) { buffer, count in
            count = buffer.baseAddress.map(body) ?? 0
        }
        return bytes.isEmpty ? nil : bytes
    }

    package func digest(_ function: HashFunction, _ message: [UInt8]) -> [UInt8]? {
        let name = function == .sha256 ? "SHA256" : "SHA3-256"
        return result { ccrypto_digest(name, message, message.count, $0) }
    }

    package func code(_ function: TagFunction, key: [UInt8], _ message: [UInt8]) -> [UInt8]? {
        let (name, part) =
            function == .hmac ? ("HMAC", "SHA256") : ("CMAC", "AES-\(key.count * 8)-CBC")
        return result { ccrypto_mac(name, part, key, key.count, message, message.count, $0) }
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
