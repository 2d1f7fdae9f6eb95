// SPDX-License-Identifier: MIT

/// A stream that is decompressed if it begins with the magic number of zstd or gzip, else passed through.
package struct CompressedInput {
    private enum Kind {
        case unknown
        case plain
        case compressed(any Decompressor)
    }

    /// The maximum input decompressed at once: the content of a damaged piece is lost.
    private static let longestPiece = 512

    private var kind = Kind.unknown
    private var pending: ArraySlice<UInt8> = []

    /// Whether `end()` has been called.
    package private(set) var isOver = false
    /// Whether more input is needed for more output.
    package private(set) var isHungry = true

    /// Creates an empty input.
    package init() {}

    /// Whether bytes begin with the magic number of zstd or gzip.
    package static func isCompressed(_ head: some Collection<UInt8>) -> Bool {
        CompressionFormat(head: head) != nil
    }

    /// Whether all further input is passed through unbuffered.
    package var isPassedThrough: Bool {
        if case .plain = kind { pending.isEmpty } else { false }
    }

    /// Whether the input has ended inside a frame or member.
    package var isCutOff: Bool {
        switch kind {
        case .unknown, .plain: false
        case .compressed(let decompressor): isOver && decompressor.isInFrame
        }
    }

    /// Adds input.
    package mutating func push(_ bytes: ArraySlice<UInt8>) {
        if pending.isEmpty { pending = bytes } else { pending += bytes }
        isHungry = false
    }

    /// Marks the end of the input.
    package mutating func end() {
        isOver = true
        isHungry = false
    }

    /// Writes output to `room` and returns the number of bytes: 0 if more input is needed, or at the end.
    /// Throws if the input is damaged.
    package mutating func take(into room: inout [UInt8]) throws(CompressionError) -> Int {
        if case .unknown = kind {
            guard pending.count >= 4 || isOver else {
                isHungry = true
                return 0
            }
            let format = CompressionFormat(head: pending)
            kind = if let format { .compressed(try format.makeDecompressor()) } else { .plain }
        }
        let count: Int
        switch kind {
        case .compressed(let decompressor): count = try step(decompressor, into: &room)
        case .plain, .unknown:
            count = min(room.count, pending.count)
            room.replaceSubrange(0..<count, with: pending.prefix(count))
            pending = pending.dropFirst(count)
        }
        // If the room is full, there may be more output.
        isHungry = !isOver && pending.isEmpty && count < room.count
        return count
    }

    private mutating func step(
        _ decompressor: any Decompressor, into room: inout [UInt8]
    ) throws(CompressionError) -> Int {
        // A header alone produces no output.
        while true {
            let (consumed, produced) = try decompressor.step(
                pending.prefix(Self.longestPiece), into: &room)
            pending = pending.dropFirst(consumed)
            guard produced == 0, consumed > 0, !pending.isEmpty else { return produced }
        }
    }
}

extension CompressedInput {
    /// Returns the decompressed beginning of a file, given its first bytes; returns these if they are not
    /// compressed or are damaged.
    package static func beginning(of head: some Collection<UInt8>) -> [UInt8] {
        var input = CompressedInput()
        input.push(Array(head)[...])
        var room = [UInt8](repeating: 0, count: 65_536)
        // Damage is reported when the file is read.
        guard let count = try? input.take(into: &room) else { return Array(head) }
        return Array(room.prefix(count))
    }

    /// Returns the decompressed content of `bytes`; `nil` if it has `limit` bytes or more. Throws if they
    /// are damaged.
    package static func decompressed(
        _ bytes: [UInt8], limit: Int = .max
    ) throws(CompressionError) -> [UInt8]? {
        var input = CompressedInput()
        input.push(bytes[...])
        input.end()
        var output: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try input.take(into: &room)
            guard count > 0 else { return output }
            output += room.prefix(count)
            guard output.count < limit else { return nil }
        }
    }
}
