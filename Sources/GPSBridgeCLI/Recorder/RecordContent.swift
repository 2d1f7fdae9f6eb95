// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// The content of a recording: a receiver's bytes, or its fixes in some format.
protocol RecordContent: AnyObject {
    /// Takes note of what is read from now on.
    func begin(_ source: OutputSource)

    /// Takes note of where the bytes come from, as far as that is known by now.
    func found(_ origin: DataOrigin)

    /// Takes what came at an instant.
    func push(_ bytes: [UInt8], at time: UTCTime)

    /// Takes note that nothing has come for `silenceTolerance`.
    func silence()

    /// How long nothing comes when `silence` is due; `nil` where it never is.
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
