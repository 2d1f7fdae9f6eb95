// SPDX-License-Identifier: MIT
import GPSFiles

/// The output of a conversion: standard output, or a file, compressed according to its name.
final class ConversionTarget {
    private let output: StandardOutput
    private let compression: CompressionFormat?
    private let frame: (any CompressedFrame)?

    /// Standard output.
    init() {
        output = StandardOutput()
        (compression, frame) = (nil, nil)
    }

    /// A file, as `StandardOutput(path:)`; its name decides about the compression.
    init(path: String) async throws {
        compression = CompressionFormat(path: path)
        frame = try compression?.makeFrame()
        output = try await StandardOutput(path: path)
    }

    /// Its name in messages.
    var name: String { output.name }
    /// Whether it is a terminal.
    var isTerminal: Bool { output.isTerminal }

    /// Whether a name leads to the file that is written.
    func isFile(at path: String) -> Bool { output.isFile(at: path) }

    /// Checks that it is not the file that is read.
    func check(_ recording: Recording) throws { try output.check(recording) }

    /// Writes everything; throws as `StandardOutput.write` does.
    func write(_ bytes: Span<UInt8>) throws {
        guard let frame else { return try output.write(bytes) }
        try output.write(try frame.append(bytes.withUnsafeBytes { Array($0) }))
    }

    /// Writes everything; see above.
    func write(_ bytes: [UInt8]) throws {
        try write(bytes.span)
    }

    /// Writes the end, as `StandardOutput.finish(_:isEmpty:)`. Returns whether a file is left out.
    func finish(_ closing: [UInt8], isEmpty: Bool) throws -> Bool {
        guard let frame, let compression else {
            return try output.finish(closing, isEmpty: isEmpty)
        }
        let end = frame.size > 0 ? frame.end.bytes(with: closing) : compression.whole(closing)
        return try output.finish(end, isEmpty: isEmpty)
    }
}
