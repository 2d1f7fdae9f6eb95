// SPDX-License-Identifier: MIT

/// Bytes that may be compressed by zstd, which their beginning tells; others are handed on as they are.
package struct ZstdInput {
    private enum Kind {
        case unknown
        case plain
        case compressed(ZstdDecompressor)
    }

    /// Where the input is damaged, nothing is known of the piece before, either.
    private static let longestPiece = 512

    private var kind = Kind.unknown
    private var pending: ArraySlice<UInt8> = []

    /// Whether no more will be pushed.
    package private(set) var isOver = false
    /// Whether more is to be pushed before there is more to take.
    package private(set) var isHungry = true

    /// Begins with nothing known.
    package init() {}

    /// Whether all that follows is handed on as it is, and nothing waits for that.
    package var isPassedThrough: Bool {
        if case .plain = kind { pending.isEmpty } else { false }
    }

    /// Whether the input has ended within a frame, of which the rest is missing.
    package var isCutOff: Bool {
        guard case .compressed(let decompressor) = kind else { return false }
        return isOver && decompressor.isInFrame
    }

    /// Takes what comes next.
    package mutating func push(_ bytes: ArraySlice<UInt8>) {
        if pending.isEmpty { pending = bytes } else { pending += bytes }
        isHungry = false
    }

    /// Takes note that nothing more will come.
    package mutating func end() {
        isOver = true
        isHungry = false
    }

    /// Puts as much into the room as there is, and fits; returns how many bytes that are: 0 where more
    /// is needed, or at the end. Throws where the bytes are damaged.
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
        // What has filled all the room may have more to give.
        isHungry = !isOver && pending.isEmpty && count < room.count
        return count
    }

    private mutating func step(
        _ decompressor: ZstdDecompressor, into room: inout [UInt8]
    ) throws(ZstdError) -> Int {
        // A frame's head alone gives nothing.
        while true {
            let (consumed, produced) = try decompressor.step(
                pending.prefix(Self.longestPiece), into: &room)
            pending = pending.dropFirst(consumed)
            guard produced == 0, consumed > 0, !pending.isEmpty else { return produced }
        }
    }
}
