// SPDX-License-Identifier: MIT
package import GNSS

/// The search for the rate of an open line.
package struct RateSearch: Sendable {
    /// The rates to try, in order; the line has been opened at the first.
    package var rates: [BaudRate]
    /// The bytes already received, the last of them at the first rate.
    package var received: [UInt8] = []
    /// Whether bytes without messages were received at another rate before.
    package var hasReceivedNoise = false
    /// Called with the settings at which messages are received.
    package var remember: @Sendable (LineSettings) -> Void = { _ in }

    /// Creates a search that starts at the first of the rates.
    package init(rates: [BaudRate]) {
        self.rates = rates
    }
}

extension RateDetection {
    /// Starts a search.
    package init(_ search: RateSearch, at now: MonotonicInstant) {
        self.init(search.rates, hasReceivedNoise: search.hasReceivedNoise, at: now)
    }
}
