// SPDX-License-Identifier: MIT

/// The content of a ``ReceiverServer``'s page, and the clients that may read it.
public struct PageConfiguration: Sendable {
    /// The token required to read anything but `/metrics` and `/health`. Default: `nil`, which requires none.
    public var token: String?

    /// Further host names that requests may use, in addition to `localhost`, addresses and the machine's name.
    public var hosts: [String] = []

    /// The address of the map's tiles: `https://…/{z}/{x}/{y}.png`. Default: `nil`, the outline of the
    /// land that is built in.
    public var tiles: String?

    /// The path of a PMTiles archive of images, used instead of `tiles`.
    public var tileArchive: String?

    /// Creates the default configuration.
    public init() {}

    /// Whether a token can stand in a URL and a cookie, and is long enough not to be guessed.
    public static func isToken(_ text: String) -> Bool {
        text.utf8.count >= 12
            && text.utf8.allSatisfy { byte in
                let character = Unicode.Scalar(byte)
                return character.isASCII
                    && (character.properties.isAlphabetic || "0"..."9" ~= character
                        || "-._~".unicodeScalars.contains(character))
            }
    }

    /// The origin of the tiles for a content security policy; `nil` if there are no tiles.
    var tileSource: String? {
        // `https:`, an empty part, the host, and the rest.
        let parts = tiles?.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard let parts, parts.count == 4 else { return nil }
        return "\(parts[0])//" + parts[2].replacing("{s}", with: "*")
    }

    /// Whether a text is a template of tiles' URLs.
    public static func isTiles(_ text: String) -> Bool {
        (text.hasPrefix("https://") || text.hasPrefix("http://"))
            && ["{z}", "{x}", "{y}"].allSatisfy { text.contains($0) }
            && !text.contains { $0 == " " || $0 == ";" || $0 == "," || $0 == "\"" }
    }
}
