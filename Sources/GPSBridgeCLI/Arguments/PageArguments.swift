// SPDX-License-Identifier: MIT
import Server

/// Options of the live page.
enum PageArguments {
    /// Checks a token.
    static func token(_ text: String) throws -> String {
        guard PageConfiguration.isToken(text) else {
            throw UsageError("--http-token needs 12 or more of the characters A-Z a-z 0-9 - . _ ~")
        }
        return text
    }

    /// Sets where tiles come from.
    static func setTiles(_ text: String, of page: inout PageConfiguration) throws {
        if text.hasSuffix(".pmtiles") {
            page.tileArchive = text
        } else if PageConfiguration.isTiles(text) {
            page.tiles = text
        } else {
            throw UsageError(
                "--tiles needs https://HOST/{z}/{x}/{y}.png or the name of a .pmtiles file, not '\(text)'"
            )
        }
    }
}
