// SPDX-License-Identifier: MIT

/// Bytes that are decompressed if they begin with zstd's magic number, else passed through.
package struct ZstdInput {
    private enum Kind {
        case unknown
        case plain
        case compressed(ZstdDecompressor)
    }

    /// The most input decompressed at once: the content of a damaged piece is lost.
    private static let longestPiece = 512

    private var kind = Kind.unknown
    private var pending: ArraySlice<UInt8> = []

    /// Whether no more will be pushed.
    package private(set) var isOver = false
    /// Whether more has to be pushed before there is more output.
    package private(set) var isHungry = true

    /// Creates an empty input.
    package init() {}

    /// Whether all further input is passed through, and none is buffered.
    package var isPassedThrough: Bool {
        if case .plain = kind { pending.isEmpty } else { false }
    }

    /// Whether the input has ended within a frame, of which the rest is missing.
    package var isCutOff: Bool {
        guard case .compressed(let decompressor) = kind else { return false }
        return isOver && decompressor.isInFrame
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

    /// Writes output into the room; returns how many bytes: 0 where more input is needed, or at the end.
    /// Throws where the input is damaged.
    package mutating func take(into room: inout [UInt8]) throws(ZstdError) -> Int {
        if case .unknown = kind {
            guard pending.count >= 4 || isOver else {
                isHungry = true
                return 0
            }
            kind =
                ZstdDecompressor.isZstd(pending) ? .compressed(try ZstdDecompressor()) : .plain
        }
        let count: Int
        if case .compressed(let decompressor) = kind {
            count = try step(decompressor, into: &room)
        } else {
            count = min(room.count, pending.count)
            room.replaceSubrange(0..<count, with: pending.prefix(count))
            pending = pending.dropFirst(count)
        }
        // A full room: there may be more output.
        isHungry = !isOver && pending.isEmpty && count < room.count
        return count
    }

    private mutating func step(
        _ decompressor: ZstdDecompressor, into room: inout [UInt8]
    ) throws(ZstdError) -> Int {
        // A frame's header alone produces nothing.
        while true {
            let (consumed, produced) = try decompressor.step(
                pending.prefix(Self.longestPiece), into: &room)
            pending = pending.dropFirst(consumed)
            guard produced == 0, consumed > 0, !pending.isEmpty else { return produced }
        }
    }
}
