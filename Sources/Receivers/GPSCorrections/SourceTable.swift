// SPDX-License-Identifier: MIT
package import GNSS

/// A caster's list of its streams.
package struct SourceTable: Hashable, Sendable {
    /// A stream: a line that begins with `STR;`. A field that is missing or not valid is `nil`.
    package struct Mount: Hashable, Sendable {
        /// The name in the stream's address.
        package let name: String
        /// The name of the place.
        package let identifier: String
        /// The format: `RTCM 3.2`, `CMR+`…
        package let format: String
        /// The messages and their intervals in seconds: `1005(10),1077(1)`.
        package let details: String
        /// The constellations: `GPS+GLO+GAL`.
        package let systems: String
        package let country: String
        package let coordinate: Coordinate?
        /// Whether the caster wants to know the receiver's position.
        package let needsPosition: Bool
        /// Whether a user name and a password are required.
        package let needsUser: Bool
        package let hasFee: Bool

        /// Whether gpsbridge forwards the format.
        package var isSupported: Bool {
            let format = format.uppercased().filter { $0 != " " }
            return format.hasPrefix("RTCM3") || format.hasPrefix("SPARTN")
        }

        init?(_ line: [UInt8]) {
            let fields = SourceTable.fields(line)
            func field(_ index: Int) -> String { fields.count > index ? fields[index] : "" }
            guard field(0) == "STR", !field(1).isEmpty else { return nil }
            (name, identifier, format) = (field(1), field(2), field(3))
            (details, systems, country) = (field(4), field(6), field(8))
            if let latitude = Double(field(9)), let longitude = Double(field(10)),
                -180...360 ~= longitude, latitude != 0 || longitude != 0
            {
                let coordinate = Coordinate(
                    latitude: latitude, longitude: longitude > 180 ? longitude - 360 : longitude)
                self.coordinate = coordinate.isValid ? coordinate : nil
            } else {
                coordinate = nil
            }
            needsPosition = field(11) == "1"
            needsUser = !["", "N"].contains(field(15).uppercased())
            hasFee = field(16).uppercased() == "Y"
        }
    }

    package let mounts: [Mount]

    /// Reads a reply from its first line on. Lines that do not describe a stream are ignored.
    package init(_ bytes: some Collection<UInt8>) {
        mounts = bytes.split { $0 == 0x0A || $0 == 0x0D }.compactMap { Mount(Array($0)) }
    }

    /// Returns the supported streams, the nearest first, with their distances in metres. Streams
    /// without a position come last, in the caster's order.
    package func nearest(to place: Coordinate) -> [(mount: Mount, distance: Double?)] {
        mounts.filter(\.isSupported).map { mount in
            (mount: mount, distance: mount.coordinate.map { place.distance(to: $0) })
        }.sorted { ($0.distance ?? .infinity) < ($1.distance ?? .infinity) }
    }

    /// Splits a line at semicolons outside quotation marks. The text is UTF-8 or, if it is not valid
    /// UTF-8, Latin-1.
    fileprivate static func fields(_ line: [UInt8]) -> [String] {
        var fields: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in line {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ";") where !isQuoted: fields.append([])
            default: fields[fields.count - 1].append(byte)
            }
        }
        return fields.map { bytes in
            let text =
                String(validating: bytes, as: UTF8.self)
                ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            return TerminalText.safe(text)
        }
    }
}
