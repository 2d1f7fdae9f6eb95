// SPDX-License-Identifier: MIT

/// The content of a ``ReceiverServer``'s page, and the clients that may read it.
public struct PageConfiguration: Sendable {
    /// The token required to read anything but `/metrics` and `/health`. Default: `nil`, which requires none.
    public var token: String?

    /// Further host names that requests may use, in addition to `localhost`, addresses and the machine's name.
    public var hosts: [String] = []

    /// Where the map's tiles come from: `https://…/{z}/{x}/{y}.png`. Default: `nil`, the outline of the
    /// land that is built in.
    public var tiles: String?

    /// The path of a PMTiles archive of images that the map's tiles come from, in place of `tiles`.
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

    /// Where the tiles come from, as a content security policy has it; `nil` where there are none.
    var tileSource: String? {
        // `https:`, nothing, the host and the rest.
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
