// SPDX-License-Identifier: MIT
import GPSFiles

/// The output of a conversion: standard output or a file, compressed according to its name.
final class ConversionTarget {
    private let output: StandardOutput
    private let compression: CompressionFormat?
    private let frame: (any CompressedFrame)?

    /// Creates a target that is standard output.
    init() {
        output = StandardOutput()
        (compression, frame) = (nil, nil)
    }

    /// Creates a target that is a file, like `StandardOutput(path:)`; its name selects the compression.
    init(path: String) async throws {
        compression = CompressionFormat(path: path)
        frame = try compression?.makeFrame()
        output = try await StandardOutput(path: path)
    }

    /// The output's name in messages.
    var name: String { output.name }
    /// Whether the output is a terminal.
    var isTerminal: Bool { output.isTerminal }

    /// Whether a path leads to the output file.
    func isFile(at path: String) -> Bool { output.isFile(at: path) }

    /// Throws an error if the recording is the output file.
    func check(_ recording: Recording) throws { try output.check(recording) }

    /// Writes bytes; throws the errors of `StandardOutput.write`.
    func write(_ bytes: Span<UInt8>) throws {
        guard let frame else { return try output.write(bytes) }
        try output.write(try frame.append(bytes.withUnsafeBytes { Array($0) }))
    }

    /// Writes bytes; throws the errors of `StandardOutput.write`.
    func write(_ bytes: [UInt8]) throws {
        try write(bytes.span)
    }

    /// Writes the end, like `StandardOutput.finish(_:isEmpty:)`. Returns whether no file was written.
    func finish(_ closing: [UInt8], isEmpty: Bool) throws -> Bool {
        guard let frame, let compression else {
            return try output.finish(closing, isEmpty: isEmpty)
        }
        let end = frame.size > 0 ? frame.end.bytes(with: closing) : compression.whole(closing)
        return try output.finish(end, isEmpty: isEmpty)
    }
}
