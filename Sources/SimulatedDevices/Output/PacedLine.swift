// SPDX-License-Identifier: MIT
import GPSReceivers

/// The timing of an epoch's bytes on a line with a given rate, at ten bits per byte.
struct PacedLine {
    /// Bytes that are sent together.
    struct Piece {
        var range: Range<Int>
        /// Seconds after the first epoch.
        var due: Double
    }

    /// The minimum interval between pieces in seconds, and their minimum size in bytes: USB serial
    /// chips collect as many.
    private static let leastTime = 0.01
    private static let leastCount = 16

    private let bytesPerSecond: Double?
    private let period: Double
    private var isBusyUntil = 0.0
    /// Bytes lost because the line was too slow.
    private(set) var lostByteCount = 0

    init(_ baudRate: BaudRate?, period: Double) {
        bytesPerSecond = baudRate.map { Double($0.rawValue) / 10 }
        self.period = period
    }

    /// Returns the pieces of an epoch. An epoch that would be delayed by a whole period is dropped,
    /// as receivers do.
    mutating func pieces(of epoch: SimulatedEpoch) -> [Piece] {
        guard !epoch.bytes.isEmpty else { return [] }
        guard let bytesPerSecond else {
            return [Piece(range: epoch.bytes.indices, due: epoch.due)]
        }
        let start = max(epoch.due, isBusyUntil)
        guard start - epoch.due < period else {
            lostByteCount += epoch.bytes.count
            return []
        }
        let size = max(Self.leastCount, Int(bytesPerSecond * Self.leastTime))
        isBusyUntil = start + Double(epoch.bytes.count) / bytesPerSecond
        return stride(from: 0, to: epoch.bytes.count, by: size).map { first in
            let end = min(epoch.bytes.count, first + size)
            // A piece is complete when its last bit has arrived.
            return Piece(range: first..<end, due: start + Double(end) / bytesPerSecond)
        }
    }
}
