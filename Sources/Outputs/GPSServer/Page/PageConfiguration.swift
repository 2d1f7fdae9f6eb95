// SPDX-License-Identifier: MIT

/// The settings of a ``ReceiverServer``'s live page: its map, and the clients that may open it.
public struct PageConfiguration: Sendable {
    /// The token that clients must send for all paths except `/metrics` and `/health`. Default:
    /// `nil`, which requires none.
    public var token: String?

    /// Host names that are permitted in the URL of requests, in addition to `localhost`. Numeric
    /// addresses and the machine's name are also permitted if other machines can reach the page.
    public var hosts: [String] = []

    /// The URL template of the map's tiles, such as `https://…/{z}/{x}/{y}.png`. Default: `nil`;
    /// the map then shows the built-in coastlines.
    public var tiles: String?

    /// The path of a PMTiles archive with image tiles. It takes precedence over `tiles`.
    public var tileArchive: String?

    /// Creates the default configuration.
    public init() {}

    /// Returns whether a string can be used as a token: at least 12 ASCII letters, digits, `-`,
    /// `.`, `_` or `~`.
    public static func isToken(_ text: String) -> Bool {
        text.utf8.count >= 12
            && text.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isWholeNumber) || "-._~".contains($0)
            }
    }

    /// The origin of `tiles` for a content security policy, such as `https://*.example.org`; `nil`
    /// if no tiles are configured.
    var tileSource: String? {
        // The parts are `https:`, an empty part, the host, and the path.
        let parts = tiles?.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard let parts, parts.count == 4 else { return nil }
        return "\(parts[0])//" + parts[2].replacing("{s}", with: "*")
    }

    /// Returns whether a string is a valid URL template for `tiles`.
    package static func isTiles(_ text: String) -> Bool {
        (text.hasPrefix("https://") || text.hasPrefix("http://"))
            && ["{z}", "{x}", "{y}"].allSatisfy { text.contains($0) }
            && !text.contains { $0 == " " || $0 == ";" || $0 == "," || $0 == "\"" }
    }
}
