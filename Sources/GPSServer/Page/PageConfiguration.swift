// SPDX-License-Identifier: MIT

/// The content of a ``ReceiverServer``'s page, and the clients that may read it.
public struct PageConfiguration: Sendable {
    /// The token required for everything except `/metrics` and `/health`. Default: `nil`, none
    /// required.
    public var token: String?

    /// Host names that requests may use, in addition to `localhost`, addresses and the machine's
    /// name.
    public var hosts: [String] = []

    /// The URL template of the map's tiles: `https://…/{z}/{x}/{y}.png`. Default: `nil`, the
    /// built-in outline of the land.
    public var tiles: String?

    /// The path of a PMTiles archive of image tiles, used instead of `tiles`.
    public var tileArchive: String?

    /// Creates the default configuration.
    public init() {}

    /// Returns whether a token can be used in a URL and a cookie, and is long enough to resist
    /// guessing.
    public static func isToken(_ text: String) -> Bool {
        text.utf8.count >= 12
            && text.utf8.allSatisfy { byte in
                let character = Unicode.Scalar(byte)
                return character.isASCII
                    && (character.properties.isAlphabetic || "0"..."9" ~= character
                        || "-._~".unicodeScalars.contains(character))
            }
    }

    /// The origin of the tiles for a content security policy; `nil` if there are none.
    var tileSource: String? {
        // The parts are `https:`, an empty one, the host and the rest.
        let parts = tiles?.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard let parts, parts.count == 4 else { return nil }
        return "\(parts[0])//" + parts[2].replacing("{s}", with: "*")
    }

    /// Returns whether a text is a URL template for tiles.
    public static func isTiles(_ text: String) -> Bool {
        (text.hasPrefix("https://") || text.hasPrefix("http://"))
            && ["{z}", "{x}", "{y}"].allSatisfy { text.contains($0) }
            && !text.contains { $0 == " " || $0 == ";" || $0 == "," || $0 == "\"" }
    }
}
