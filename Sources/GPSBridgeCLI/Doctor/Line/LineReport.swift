// SPDX-License-Identifier: MIT
package import GNSS
package import GPSReceivers

/// The data received on a line, or read from a file.
package struct LineReport: Sendable {
    /// Seconds of listening.
    package var seconds = 0.0
    /// Bytes at all rates.
    package var totalByteCount = 0
    /// The settings of the line; `nil` without a rate.
    package var settings: LineSettings?
    /// Whether these are known to be right.
    package var isRateFound = false
    /// The rates that were tried.
    package var triedRates: Set<BaudRate> = []

    // The properties below are of these settings only.

    /// Seconds since the line has been read so.
    package var lineSeconds = 0.0
    /// Bytes that were read.
    package var byteCount = 0
    /// Those that are text.
    package var textCount = 0
    /// Sentences with a right checksum, and UBX messages that were decoded.
    package var validCount = 0
    /// Sentences with a right checksum.
    package var sentenceCount = 0
    /// Sentences with a wrong one.
    package var badChecksumCount = 0
    /// Frames of binary protocols.
    package var frames: [BinaryProtocol: Int] = [:]
    /// Sentences by what they are: `RMC`, `GSV`.
    package var formatters: [String: Int] = [:]
    /// The reports of a u-blox chip.
    package var chip = ChipReport()
    /// Whether one of them was more than text.
    package var hasMeasurements = false
    /// Epochs.
    package var epochCount = 0
    /// Those with a position.
    package var fixCount = 0
    /// Seconds between epochs.
    package var period: Double?
    /// The last epoch.
    package var fix: Fix?
    /// The last complete lists of satellites.
    package var view: SatelliteView?
    /// The receiver's report on its antenna: `OPEN`, `SHORT`, `OK`.
    package var antenna: String?

    /// Seconds from each epoch to its burst's first byte, by the system's clock; of a receiver on a serial line.
    package var delays: [Double] = []

    /// More bytes a second than a line at 921600 baud carries.
    static let flood = 130_000

    /// Nothing.
    package init() {}

    /// Whether more came, for a second at least, than any line carries.
    var isFlooded: Bool { Double(totalByteCount) > Double(Self.flood) * max(seconds, 1) }

    /// The protocol that came instead of NMEA, and how many of its frames; `nil` if sentences came that are
    /// more than text.
    var binaryProtocol: (kind: BinaryProtocol, count: Int)? {
        hasMeasurements || epochCount > 0 ? nil : BinaryProtocol.most(of: frames)
    }

    /// The share of all sentences.
    var badShare: Double {
        let all = sentenceCount + badChecksumCount
        return all == 0 ? 0 : Double(badChecksumCount) / Double(all)
    }

    /// The share of all bytes.
    var textShare: Double { byteCount == 0 ? 0 : Double(textCount) / Double(byteCount) }
}
