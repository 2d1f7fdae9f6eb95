// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// The content of a recording: a receiver's bytes, or its fixes in some format.
protocol RecordContent: AnyObject {
    /// Sets the source of the bytes that follow.
    func begin(_ source: OutputSource)

    /// Sets the origin of the bytes, as far as it is known.
    func found(_ origin: DataOrigin)

    /// Writes bytes that arrived at an instant.
    func push(_ bytes: [UInt8], at time: UTCTime)

    /// Ends an incomplete line: nothing was received for `silenceTolerance`.
    func silence()

    /// The duration without data after which `silence` is due; `nil` for never.
    var silenceTolerance: Duration? { get }

    /// Marks a gap: the receiver has been lost.
    func addGap()

    /// Takes the end of it all.
    func end()

    /// Returns the bytes to write now.
    func take() -> [UInt8]

    /// Whether there was anything to record since the file was begun, or continued.
    var hasContent: Bool { get }

    /// Returns the bytes that complete the file.
    var closing: [UInt8] { get }

    /// Turns to another file. One that is there is continued: returns how many of its last bytes are
    /// kept, or `nil` if it is of another kind. A new one has no bytes.
    func turn(head: [UInt8], end: [UInt8]) -> Int?
}
