// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// The content of a recording: a receiver's bytes, or its fixes in some format.
protocol RecordContent: AnyObject {
    /// Sets the source of the following data.
    func begin(_ source: OutputSource)

    /// Sets the origin of the bytes, as far as it is known.
    func found(_ origin: DataOrigin)

    /// Adds bytes that arrived at an instant.
    func push(_ bytes: [UInt8], at time: UTCTime)

    /// Handles a pause of `silenceTolerance`.
    func silence()

    /// The pause after which `silence` is to be called; `nil` for never.
    var silenceTolerance: Duration? { get }

    /// Marks a gap after the receiver has been lost.
    func addGap()

    /// Handles the end of the data.
    func end()

    /// Returns the bytes to write now.
    func take() -> [UInt8]

    /// Whether there has been data since the file was begun or continued.
    var hasContent: Bool { get }

    /// Returns the bytes that complete the file.
    var closing: [UInt8] { get }

    /// Begins another file. An existing one is continued: returns how many of its last bytes are kept, or
    /// `nil` if it is of another kind. Both arrays are empty for a new file.
    func turn(head: [UInt8], end: [UInt8]) -> Int?
}
