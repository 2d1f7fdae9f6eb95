// SPDX-License-Identifier: MIT

/// The parameters of a search for the baud rate of an open line.
package struct RateSearch: Sendable {
    /// The baud rates to try, in order. The line has been opened at the first one.
    package var rates: [BaudRate]
    /// The character format that an earlier search found at the first baud rate.
    package var format = CharacterFormat.eightN1
    /// Bytes received before the search. The last ones were received at the first baud rate.
    package var received: [UInt8] = []
    /// Whether bytes without valid messages were received earlier, at another baud rate.
    package var hasReceivedNoise = false
    /// Called with the correct settings when the search has found them.
    package var remember: @Sendable (LineSettings) -> Void = { _ in }

    /// Creates a search that starts at the first of the baud rates.
    package init(rates: [BaudRate]) {
        self.rates = rates
    }
}
