// SPDX-License-Identifier: MIT
package import GNSS
import Glibc
package import NMEA

/// Finds the lines of a raw recording that state the origin of the bytes after them. A file that
/// was continued contains several; see `RawRecording`.
package struct OriginLines: Equatable, Sendable {
    /// A line that was found.
    package struct Line: Equatable, Sendable {
        /// The origin of the bytes after the line: `.simulated` or `.replay`.
        package let origin: DataOrigin
        /// Whether the line begins a recording. If the origin of its first bytes is known, another
        /// line states it.
        package let beginsRecording: Bool
    }

    /// The maximum length of a line to examine, in bytes. The lines to find are shorter.
    private static let maximumLength = 64
    private static let sign = UInt8(ascii: "#")

    /// The beginning of the current line, if it is a comment; otherwise empty.
    private var line: [UInt8] = []
    /// Whether the next chunk begins at the start of a line.
    private var isAtStart = true

    /// Prepares to find lines at the start of a recording.
    package init() {}

    /// Drops an incomplete line. Call it after skipping a part of the recording.
    mutating func skip() {
        line.removeAll(keepingCapacity: true)
        isAtStart = false
    }

    /// Returns the next line that ends in a chunk, at or after the index `start`, and the index
    /// after its end. If there is none, returns the end of the chunk. Pass all chunks of the
    /// recording in order, and each one until its end has been returned.
    package mutating func next(
        in bytes: Span<UInt8>, from start: Int
    ) -> (end: Int, line: Line?) {
        var index = start
        while index < bytes.count {
            guard !line.isEmpty else {
                guard let mark = Self.indexOfSign(in: bytes, from: index) else { break }
                index = mark + 1
                if mark == 0 ? isAtStart : Self.isLineEnd(bytes[mark - 1]) {
                    line.append(Self.sign)
                }
                continue
            }
            let byte = bytes[index]
            index += 1
            if Self.isLineEnd(byte) {
                let found = Line(line)
                line.removeAll(keepingCapacity: true)
                guard let found else { continue }
                isAtStart = true
                return (index, found)
            }
            if line.count < Self.maximumLength {
                line.append(byte)
            } else {
                line.removeAll(keepingCapacity: true)
            }
        }
        if !bytes.isEmpty { isAtStart = Self.isLineEnd(bytes[bytes.count - 1]) }
        return (bytes.count, nil)
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// Returns the index of the next number sign; `nil` if there is none.
    ///
    /// The corresponding C function is `memchr`.
    private static func indexOfSign(in bytes: Span<UInt8>, from start: Int) -> Int? {
        bytes.withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress,
                let found = memchr(base + start, CInt(Self.sign), buffer.count - start)
            else { return nil }
            return base.distance(to: UnsafeRawPointer(found))
        }
    }
}

extension OriginLines.Line {
    /// Creates the content of a line without its end. Returns `nil` for any other line.
    fileprivate init?(_ line: [UInt8]) {
        if line.starts(with: RawRecording.mark.utf8) {
            self.init(origin: .replay, beginsRecording: true)
        } else if let origin = DataOrigin(recordingLine: line[...]) {
            self.init(
                origin: origin == .simulated ? .simulated : .replay, beginsRecording: false)
        } else {
            return nil
        }
    }
}

/// A listener that also receives the origins that a recording states.
package protocol RecordingListener: DecoderListener {
    /// Finds the lines that state the origins.
    var originLines: OriginLines { get set }
    /// The origin that the last one of these lines states for the next fix; `nil` if the next fix
    /// has the origin of the source.
    var statedOrigin: DataOrigin? { get set }
}

extension NMEADecoder {
    /// Decodes the next bytes of a recording. Unlike `push(_:to:)`, follows the lines of `record`
    /// that state the origin of the fixes after them, and reads no sentences in comments.
    package mutating func push(
        recording bytes: Span<UInt8>, to listener: inout some RecordingListener
    ) {
        skipsComments = true
        var start = 0
        while start < bytes.count {
            let (end, line) = listener.originLines.next(in: bytes, from: start)
            push(bytes.extracting(start..<end), to: &listener)
            start = end
            guard let line else { continue }
            // The last epoch of the recording that ends has the origin of that recording.
            if line.beginsRecording, silenceTolerance != nil { silence(to: &listener) }
            listener.statedOrigin = line.origin
        }
    }
}
