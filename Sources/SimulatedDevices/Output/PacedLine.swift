// SPDX-License-Identifier: MIT
import GPSReceivers

/// When each byte of an epoch goes over a line of a given rate: ten bits each.
struct PacedLine {
    /// Bytes that go out together.
    struct Piece {
        var range: Range<Int>
        /// Seconds after the first epoch.
        var due: Double
    }

    /// Seconds from one piece to the next, at the least, and bytes: a chip collects as many.
    private static let leastTime = 0.01
    private static let leastCount = 16

    private let bytesPerSecond: Double?
    private let period: Double
    private var isBusyUntil = 0.0
    /// Bytes of epochs for which the line was too slow.
    private(set) var lostByteCount = 0

    init(_ baudRate: BaudRate?, period: Double) {
        bytesPerSecond = baudRate.map { Double($0.rawValue) / 10 }
        self.period = period
    }

    /// The pieces of an epoch. One that finds the line busy with the last for a whole period more is
    /// dropped, as receivers do.
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
            // A byte is there when its last bit is.
            return Piece(range: first..<end, due: start + Double(end) / bytesPerSecond)
        }
    }
}
