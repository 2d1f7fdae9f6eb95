// SPDX-License-Identifier: MIT

/// Finds frames of binary protocols that the decoder does not support. A frame is recognised by its
/// check value or, without one, by its structure.
package struct FrameSearch: Sendable {
    /// The maximum length of a frame in bytes. No SiRF message is longer.
    private static let capacity = 2048

    private var sirfCount = 0
    private var sbfCount = 0
    private var dleCount = 0
    private var pending: [UInt8] = []
    /// The index in `pending` after the last TSIP or Garmin frame, to recognise a frame that
    /// directly follows it; negative if there is none.
    private var lastEnd = -1
    private var isChain = false

    /// Creates a search at the beginning of a stream.
    package init() {}

    /// The minimum number of frames without a check value that proves the protocol. Noise may
    /// contain fewer such frames.
    private static let minimumUnchecked = 6

    /// The number of frames found for each protocol. Frames without a check value are included only
    /// if there are at least `minimumUnchecked`.
    package var frames: [BinaryProtocol: Int] {
        let dleCount = self.dleCount < Self.minimumUnchecked ? 0 : self.dleCount
        return [.sirf: sirfCount, .sbf: sbfCount, .dle: dleCount].filter { $0.value > 0 }
    }

    /// The total number of frames found, including those without a check value.
    var count: Int { sirfCount + sbfCount + dleCount }

    /// Examines the next bytes.
    package mutating func push(_ bytes: some Collection<UInt8>) {
        pending += bytes
        var index = 0
        while index < pending.count {
            switch frame(at: index) {
            case .whole(let end, let kind):
                switch kind {
                case .sirf: sirfCount += 1
                case .sbf: sbfCount += 1
                default: countChained(index, end)
                }
                index = end
            case .incomplete where pending.count - index < Self.capacity:
                drop(index)
                return
            case .incomplete, .none: index += 1
            }
        }
        drop(pending.count)
    }

    /// Counts a frame without a check value if it directly follows another one, which does not
    /// occur in noise.
    private mutating func countChained(_ start: Int, _ end: Int) {
        if start == lastEnd { dleCount += isChain ? 1 : 2 }
        isChain = start == lastEnd
        lastEnd = end
    }

    private mutating func drop(_ count: Int) {
        pending.removeFirst(count)
        lastEnd -= count
    }

    private enum Frame {
        case whole(end: Int, BinaryProtocol)
        case incomplete, none
    }

    private func frame(at start: Int) -> Frame {
        switch pending[start] {
        case 0xA0: sirf(start)
        case 0x24: sbf(start)
        case 0x10: dle(start)
        default: .none
        }
    }

    /// Recognises a SiRF frame: `A0 A2`, length, payload, sum of 15 bits, `B0 B3`.
    private func sirf(_ start: Int) -> Frame {
        guard start + 4 <= pending.count else { return .incomplete }
        guard pending[start + 1] == 0xA2 else { return .none }
        let length = Int(pending[start + 2]) << 8 | Int(pending[start + 3])
        guard 1...1023 ~= length else { return .none }
        let end = start + length + 8
        guard end <= pending.count else { return .incomplete }
        let sum = pending[start + 4..<start + 4 + length].reduce(0) { ($0 + Int($1)) & 0x7FFF }
        let sent = Int(pending[end - 4]) << 8 | Int(pending[end - 3])
        let isWhole = sum == sent && pending[end - 2] == 0xB0 && pending[end - 1] == 0xB3
        return isWhole ? .whole(end: end, .sirf) : .none
    }

    /// Recognises an SBF frame: `$@`, CRC, id, length of the whole frame, payload; all
    /// little-endian.
    private func sbf(_ start: Int) -> Frame {
        guard start + 8 <= pending.count else {
            return start + 1 < pending.count && pending[start + 1] != 0x40 ? .none : .incomplete
        }
        let length = Int(pending[start + 6]) | Int(pending[start + 7]) << 8
        guard pending[start + 1] == 0x40, 8...Self.capacity ~= length, length % 4 == 0 else {
            return .none
        }
        let end = start + length
        guard end <= pending.count else { return .incomplete }
        // CRC-16/XMODEM over all bytes from the id to the end.
        let crc = pending[start + 4..<end].reduce(0) { crc, byte in
            (0..<8).reduce(crc ^ Int(byte) << 8) { crc, _ in
                (crc << 1 ^ (crc & 0x8000 == 0 ? 0 : 0x1021)) & 0xFFFF
            }
        }
        let sent = Int(pending[start + 2]) | Int(pending[start + 3]) << 8
        return crc == sent ? .whole(end: end, .sbf) : .none
    }

    /// Recognises a TSIP or Garmin frame: `10`, an id that is neither `10` nor `03`, data in which
    /// each `10` is doubled, `10 03`.
    private func dle(_ start: Int) -> Frame {
        guard start + 2 <= pending.count else { return .incomplete }
        guard pending[start + 1] != 0x10, pending[start + 1] != 0x03 else { return .none }
        var index = start + 2
        while index < pending.count, index - start < 512 {
            guard pending[index] == 0x10 else {
                index += 1
                continue
            }
            guard index + 1 < pending.count else { return .incomplete }
            if pending[index + 1] == 0x03 { return .whole(end: index + 2, .dle) }
            guard pending[index + 1] == 0x10 else { return .none }
            index += 2
        }
        return index - start < 512 ? .incomplete : .none
    }
}
