// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

/// The identity of this vessel in Signal K, and of this device in NMEA 2000. It is derived from
/// `/etc/machine-id`, but does not reveal it.
enum VesselIdentity {
    /// The vessel's Signal K context: `vessels.urn:mrn:signalk:uuid:` and a UUID.
    static let own =
        "vessels.urn:mrn:signalk:uuid:" + uuid(of: Array("gpsbridge Signal K ".utf8) + id)

    /// Returns the 24-bit unique number of the NMEA 2000 device on a CAN interface.
    static func number(for interface: String) -> UInt32 {
        SHA1.hash(Array("gpsbridge NMEA 2000 \(interface) ".utf8) + id).prefix(3)
            .reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The contents of `/etc/machine-id`; random bytes for each process if it cannot be read.
    private static let id: [UInt8] = {
        let id = Array((RegularFile.contents("/etc/machine-id") ?? []).prefix(64))
        return id.isEmpty ? (0..<16).map { _ in UInt8.random(in: .min ... .max) } : id
    }()

    /// Returns a UUID in version 4 format with the first bits of the SHA-1 hash of `bytes`.
    static func uuid(of bytes: [UInt8]) -> String {
        var hash = Array(SHA1.hash(bytes).prefix(16))
        hash[6] = hash[6] & 0x0F | 0x40
        hash[8] = hash[8] & 0x3F | 0x80
        let digits = hash.map { String(hexadecimal: UInt64($0), width: 2) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
            .joined(separator: "-")
    }
}
