// SPDX-License-Identifier: MIT

/// Decompresses a stream if it begins with the magic number of zstd, gzip or zip, of which it reads
/// the KML, and otherwise passes it through.
package struct CompressedInput {
    private enum Kind {
        case unknown
        case plain
        case compressed(any Decompressor)
    }

    /// The maximum number of compressed bytes that are decompressed at once. It is small, because
    /// an error loses all content of these bytes.
    private static let maximumPieceSize = 512

    private var kind = Kind.unknown
    private var pending: ArraySlice<UInt8> = []

    /// Whether `end()` has been called.
    package private(set) var isOver = false
    /// Whether `push` or `end` must be called before `take` can return more output.
    package private(set) var needsInput = true

    /// Creates a stream without input.
    package init() {}

    /// Returns whether bytes begin with the magic number of zstd, gzip or zip.
    package static func isCompressed(_ head: some Collection<UInt8>) -> Bool {
        CompressionFormat(head: head) != nil || ZipDecompressor.isZip(head)
    }

    /// Whether the stream is not compressed and `take` has returned all input, so that the caller
    /// may bypass this object for further input.
    package var isPassedThrough: Bool {
        if case .plain = kind { pending.isEmpty } else { false }
    }

    /// Whether the input has ended inside a zstd frame or gzip member.
    package var isCutOff: Bool {
        switch kind {
        case .unknown, .plain: false
        case .compressed(let decompressor): isOver && decompressor.isInFrame
        }
    }

    /// Adds input.
    package mutating func push(_ bytes: ArraySlice<UInt8>) {
        if pending.isEmpty { pending = bytes } else { pending += bytes }
        needsInput = false
    }

    /// Marks the end of the input.
    package mutating func end() {
        isOver = true
        needsInput = false
    }

    /// Writes output to the beginning of `room`, keeping its size. Returns the number of bytes
    /// written; 0 at the end or if more input is needed. Throws an error if the input is damaged.
    package mutating func take(into room: inout [UInt8]) throws(CompressionError) -> Int {
        if case .unknown = kind {
            guard pending.count >= 4 || isOver else {
                needsInput = true
                return 0
            }
            if ZipDecompressor.isZip(pending) {
                kind = .compressed(ZipDecompressor())
            } else {
                let format = CompressionFormat(head: pending)
                kind = if let format { .compressed(try format.makeDecompressor()) } else { .plain }
            }
        }
        let count: Int
        switch kind {
        case .compressed(let decompressor): count = try step(decompressor, into: &room)
        case .plain, .unknown:
            count = min(room.count, pending.count)
            room.replaceSubrange(0..<count, with: pending.prefix(count))
            pending = pending.dropFirst(count)
        }
        // If `room` is full, there may be more output without further input.
        needsInput = !isOver && pending.isEmpty && count < room.count
        return count
    }

    private mutating func step(
        _ decompressor: any Decompressor, into room: inout [UInt8]
    ) throws(CompressionError) -> Int {
        // Repeat while input is consumed without output, as for a header.
        while true {
            let (consumed, produced) = try decompressor.step(
                pending.prefix(Self.maximumPieceSize), into: &room)
            pending = pending.dropFirst(consumed)
            guard produced == 0, consumed > 0, !pending.isEmpty else { return produced }
        }
    }
}

extension CompressedInput {
    /// Decompresses the first bytes of a file. Returns at most 64 KiB. If the bytes are not
    /// compressed or are damaged, returns them unchanged.
    package static func beginning(of head: some Collection<UInt8>) -> [UInt8] {
        var input = CompressedInput()
        input.push(Array(head)[...])
        var room = [UInt8](repeating: 0, count: 65_536)
        // Reading the whole file will report the error.
        guard let count = try? input.take(into: &room) else { return Array(head) }
        return Array(room.prefix(count))
    }

    /// Returns the decompressed content of `bytes`, or the bytes themselves if they are not
    /// compressed. Throws an error if they are damaged or decompress to more than `limit` bytes.
    package static func decompressed(
        _ bytes: [UInt8], limit: Int = .max
    ) throws(CompressionError) -> [UInt8] {
        guard let format = CompressionFormat(head: bytes) else { return bytes }
        return try format.makeDecompressor().all(bytes[...], limit: limit)
    }
}
