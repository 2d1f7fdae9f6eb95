// SPDX-License-Identifier: MIT
import Devices

/// What goes wrong with bytes, whatever they say.
enum ByteFaults {
    static func apply(
        _ fault: Fault, _ bytes: inout [UInt8], _ lineRate: BaudRate,
        _ random: inout SeededGenerator
    ) {
        switch fault.kind {
        case .bitErrors:
            for index in bytes.indices {
                for bit in 0..<8 where random.happens(fault.probability) {
                    bytes[index] ^= 1 << bit
                }
            }
        case .droppedBytes:
            bytes = bytes.filter { _ in !random.happens(fault.probability) }
        case .repeatedBytes:
            bytes = bytes.flatMap { random.happens(fault.probability) ? [$0, $0] : [$0] }
        case .wrongBaud(let rate):
            bytes = MisreadLine.read(bytes, sentAt: rate.rawValue, readAt: lineRate.rawValue)
        default: break
        }
    }
}
