// SPDX-License-Identifier: MIT
import GNSS

/// A completed file of a conversion that divides a track into several files.
package struct EndedFile {
    /// The part of the file's name that distinguishes it from the other files, such as `002` or
    /// `20260321`.
    package let name: String
    /// The output that has not been drained yet, followed by the bytes that complete the file.
    package let rest: [UInt8]
    /// The bytes that replace the first bytes of the file; empty for most formats.
    package let head: [UInt8]
}

/// The files of a conversion that divides a track.
struct ConversionFiles {
    var splitter: TrackSplitter
    let metadata: OutputMetadata
    /// The name of the current file; `nil` before its first fix.
    var name: String?
    var ended: [EndedFile] = []

    /// Gives the first file a name even if it has no fix yet.
    mutating func beginFile() {
        if name == nil { name = splitter.file(beginningWith: Fix()) }
    }

    /// Adds a completed file to `ended`, with its remaining output.
    mutating func end(_ format: any OutputFormat, _ name: String) {
        var format = format
        let head = format.head
        let closing = format.closing
        var rest: [UInt8] = []
        format.drain { span in span.withUnsafeBytes { rest += $0 } }
        ended.append(EndedFile(name: name, rest: rest + closing, head: head))
    }
}
