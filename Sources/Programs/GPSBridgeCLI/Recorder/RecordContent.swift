// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// The content of a recording: a receiver's bytes, or its fixes in an output format.
protocol RecordContent: AnyObject {
    /// Sets the source of the following data.
    func begin(_ source: OutputSource)

    /// Sets the origin of the following data.
    func found(_ origin: DataOrigin)

    /// Sets which of several receivers the following bytes come from.
    func found(_ vote: Vote)

    /// Whether the content is created from the receiver's bytes. Otherwise, it is created from the
    /// session's fixes and satellites.
    var wantsBytes: Bool { get }

    /// Adds bytes that arrived at the given time.
    func push(_ bytes: [UInt8], at time: UTCTime)

    /// Adds a fix.
    func add(_ fix: Fix)

    /// Adds the satellites in view.
    func add(_ view: SatelliteView)

    /// Handles a pause in the data that lasted `silenceTolerance`.
    func silence()

    /// The pause after which `silence` must be called; `nil` if it need not be called.
    var silenceTolerance: Duration? { get }

    /// Marks a gap, because the receiver was lost.
    func addGap()

    /// Handles the end of the data.
    func end()

    /// Removes and returns the bytes to write.
    func take() -> [UInt8]

    /// Confirms that the file contains all bytes that were taken, or that they are dropped.
    func confirm()

    /// Makes the content that was taken and not confirmed the beginning of the next file. Call this
    /// before `prepare` if the current file will not contain it.
    func recall()

    /// Whether to write the current file. It stays empty until the first byte or, for a track, the
    /// first fix.
    var hasContent: Bool { get }

    /// The message about fixes that the recording leaves out; `nil` if it contains everything.
    var omission: String? { get }

    /// The bytes that complete the file if no more content follows.
    var closing: [UInt8] { get }

    /// Returns how many bytes at the start consist of whole lines or messages. Only these are
    /// written if the disk has no space for all bytes.
    func wholeCount(of bytes: ArraySlice<UInt8>) -> Int

    /// Begins a new file, or continues an existing one. The arguments are the first and the last
    /// bytes of the existing file's content; both are empty for a new file. Returns how many of the
    /// last bytes to keep; `nil` if the existing file has other content.
    func prepare(head: [UInt8], end: [UInt8]) -> Int?
}
