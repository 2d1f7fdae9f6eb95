// SPDX-License-Identifier: MIT
import GPSServer

/// Parses options for the live page.
enum PageArguments {
    /// Sets the source of map tiles: a URL or a `.pmtiles` file. Throws a `UsageError` for other
    /// text.
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
