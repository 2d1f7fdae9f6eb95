// SPDX-License-Identifier: MIT
package import GNSS

/// How the rate of an open line is found.
package struct RateSearch: Sendable {
    /// The rates to listen at, in turn; the line has been opened at the first.
    package var rates: [BaudRate]
    /// What has been received already, the last of it at the first rate.
    package var received: [UInt8] = []
    /// Whether bytes without messages came at another rate before.
    package var hasHeardNoise = false
    /// Called with the settings at which messages come.
    package var remember: @Sendable (LineSettings) -> Void = { _ in }

    /// Begins with the first of some rates.
    package init(rates: [BaudRate]) {
        self.rates = rates
    }
}

extension RateDetection {
    /// Begins a search.
    package init(_ search: RateSearch, at now: MonotonicInstant) {
        self.init(search.rates, hasHeardNoise: search.hasHeardNoise, at: now)
    }
}
