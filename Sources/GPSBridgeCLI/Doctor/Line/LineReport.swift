// SPDX-License-Identifier: MIT
package import GNSS
package import GPSReceivers

/// The data received on a line, or read from a file.
package struct LineReport: Sendable {
    /// The duration of reading in seconds.
    package var seconds = 0.0
    /// The number of bytes at all rates.
    package var totalByteCount = 0
    /// The settings of the line; `nil` if it has no baud rate.
    package var settings: LineSettings?
    /// Whether the settings are known to be right.
    package var isRateFound = false
    /// The rates that were tried.
    package var triedRates: Set<BaudRate> = []

    // The properties below apply only to these settings.

    /// The duration of reading with these settings, in seconds.
    package var lineSeconds = 0.0
    /// The number of bytes read.
    package var byteCount = 0
    /// The number of bytes that are text.
    package var textCount = 0
    /// The number of sentences with a correct checksum.
    package var validCount = 0
    /// Sentences with a right checksum.
    package var sentenceCount = 0
    /// Sentences with a wrong one.
    package var badChecksumCount = 0
    /// The number of frames of each binary protocol.
    package var frames: [BinaryProtocol: Int] = [:]
    /// The number of sentences by formatter: `RMC`, `GSV`.
    package var formatters: [String: Int] = [:]
    /// The reports of a u-blox chip.
    package var chip = ChipReport()
    /// Whether one of them was more than text.
    package var hasMeasurements = false
    /// The number of epochs.
    package var epochCount = 0
    /// The number of epochs with a position.
    package var fixCount = 0
    /// The seconds between epochs.
    package var period: Double?
    /// The last epoch.
    package var fix: Fix?
    /// The last complete lists of satellites.
    package var view: SatelliteView?
    /// The receiver's report on its antenna: `OPEN`, `SHORT`, `OK`.
    package var antenna: String?

    /// The seconds from each epoch to the first byte of its burst, by the system's clock; only for a
    /// receiver on a serial line.
    package var delays: [Double] = []

    /// More bytes a second than a line at 921600 baud carries.
    static let flood = 130_000

    /// Creates an empty report.
    package init() {}

    /// Whether more bytes per second arrived than any line carries, for at least one second.
    var isFlooded: Bool { Double(totalByteCount) > Double(Self.flood) * max(seconds, 1) }

    /// The binary protocol received instead of NMEA and the number of its frames; `nil` if a sentence other
    /// than a text message was received.
    var binaryProtocol: (kind: BinaryProtocol, count: Int)? {
        hasMeasurements || epochCount > 0 ? nil : BinaryProtocol.most(of: frames)
    }

    /// The share of sentences with a wrong checksum.
    var badShare: Double {
        let all = sentenceCount + badChecksumCount
        return all == 0 ? 0 : Double(badChecksumCount) / Double(all)
    }

    /// The share of bytes that are text.
    var textShare: Double { byteCount == 0 ? 0 : Double(textCount) / Double(byteCount) }
}
