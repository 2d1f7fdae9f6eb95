// SPDX-License-Identifier: MIT
package import GNSS
package import GPSReceivers

/// The data that was received on a line, or read from a file.
package struct LineReport: Sendable {
    /// The duration of the observation in seconds.
    package var seconds = 0.0
    /// The number of bytes received at all baud rates.
    package var totalByteCount = 0
    /// The settings of the line with the best result; `nil` if the source has no baud rate, or is a
    /// pseudo terminal, whose baud rate has no meaning.
    package var settings: LineSettings?
    /// Whether the settings are certain, because messages were received with them.
    package var isRateFound = false
    /// The baud rates that were tried.
    package var triedRates: Set<BaudRate> = []

    // The properties below describe only the data received with these settings.

    /// How long data was received with `settings`, in seconds.
    package var lineSeconds = 0.0
    /// The number of bytes read with `settings`.
    package var byteCount = 0
    /// The number of bytes that are printable ASCII, CR or LF.
    package var textCount = 0
    /// The number of valid sentences and of decoded UBX messages.
    package var validCount = 0
    /// The number of sentences with a correct checksum, not counting UBX messages.
    package var sentenceCount = 0
    /// The number of sentences with a wrong checksum.
    package var badChecksumCount = 0
    /// The number of sentences without a checksum.
    package var noChecksumCount = 0
    /// The datum of the positions if the receiver reports one other than WGS 84; otherwise `nil`.
    package var otherDatum: String?
    /// The number of frames by binary protocol.
    package var frames: [BinaryProtocol: Int] = [:]
    /// The number of sentences by formatter, such as `RMC` or `GSV`.
    package var formatters: [String: Int] = [:]
    /// A u-blox chip's reports about itself.
    package var chip = ChipReport()
    /// Whether a sentence was received that may contain measurements: one that is neither TXT nor
    /// proprietary.
    package var hasMeasurements = false
    /// The number of epochs, with or without a position.
    package var epochCount = 0
    /// The number of epochs with a position.
    package var fixCount = 0
    /// The time between epochs in seconds; `nil` if unknown.
    package var period: Double?
    /// The fix of the last epoch; `nil` before the first one.
    package var fix: Fix?
    /// The fix of the last epoch with a position; `nil` before the first one.
    package var positionFix: Fix?
    /// The last satellite view that was not empty; `nil` if there was none.
    package var view: SatelliteView?
    /// The state of the antenna: `OPEN`, `SHORT` or `OK`; `nil` if the receiver does not report it.
    package var antenna: String?

    /// The delays from each epoch to the first byte of its burst, in seconds by the system's clock.
    /// They are measured only for receivers on serial lines.
    package var delays: [Double] = []

    /// The number of bytes per second above which data counts as a flood. A line at 921,600 baud
    /// carries less.
    static let flood = 130_000

    /// Creates an empty report.
    package init() {}

    /// Whether more bytes per second arrived than any serial line can carry, for at least one
    /// second.
    var isFlooded: Bool { Double(totalByteCount) > Double(Self.flood) * max(seconds, 1) }

    /// The most frequent binary protocol and the number of its frames; `nil` if there are no
    /// frames, or if `hasMeasurements` is `true` or an epoch was received.
    var binaryProtocol: (kind: BinaryProtocol, count: Int)? {
        hasMeasurements || epochCount > 0 ? nil : BinaryProtocol.most(of: frames)
    }

    /// The fraction of sentences with a wrong checksum, from 0 to 1, among those that have one.
    var badFraction: Double {
        let all = sentenceCount + badChecksumCount
        return all == 0 ? 0 : Double(badChecksumCount) / Double(all)
    }

    /// The fraction of bytes that are text, from 0 to 1; 0 if no bytes were read.
    var textFraction: Double { byteCount == 0 ? 0 : Double(textCount) / Double(byteCount) }
}
