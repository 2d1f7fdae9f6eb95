// SPDX-License-Identifier: MIT
import GNSS

/// The effects of silence on a live line.
extension FixAssembler {
    /// Whether there is an epoch that silence would end, published or not.
    ///
    /// Sentences without a time that follow the silence belong to the next epoch.
    package var isWaiting: Bool {
        opener != nil && !isClosed || satellites.awaitsSilence || hasOpenInstant
    }

    /// Whether silence would complete a fix or a view.
    package var awaitsSilence: Bool { isComplete || satellites.awaitsSilence || hasOpenInstant }

    /// Nanoseconds without a byte after which a live line is silent: a fifth of the period.
    package var silenceTolerance: Int64 {
        max(30_000_000, (published.period ?? 1_000_000_000) / 5)
    }
}
