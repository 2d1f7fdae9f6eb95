// SPDX-License-Identifier: MIT
import GPSIO
import GPSServer

/// The queue for a slow client keeps the order, never cuts a line, and never loses a reply.
enum QueueExercise {
    static func run(_ bytes: [UInt8], _ decisions: Decisions) throws(BrokenReply) {
        var queue = OutputQueue(limit: decisions.queueLimit)
        var model: [(number: UInt8, isReply: Bool)] = []
        var sent: [UInt8] = []
        for (index, byte) in bytes.prefix(256).enumerated() {
            let number = UInt8(truncatingIfNeeded: index)
            switch byte & 3 {
            case 0: queue.append(kept: chunk(number, byte))
            case 1, 2: queue.append(droppable: chunk(number, byte))
            default: drain(&queue, Int(byte), &sent)
            }
            if byte & 3 != 3 { model.append((number, byte & 3 == 0)) }
            try expect(queue.count >= 0, "less than nothing waits")
        }
        drain(&queue, .max, &sent)
        try expect(queue.isEmpty && queue.count == 0, "\(queue.count) bytes are left")
        try check(sent, model, dropped: queue.droppedCount)
    }

    /// A chunk contains its length and its number.
    private static func chunk(_ number: UInt8, _ byte: UInt8) -> [UInt8] {
        let count = 2 + Int(byte >> 2)
        return [UInt8(count)] + [UInt8](repeating: number, count: count - 1)
    }

    private static func drain(_ queue: inout OutputQueue, _ room: Int, _ sent: inout [UInt8]) {
        var room = room
        queue.drain { bytes in
            let taken = min(room, bytes.count)
            sent += bytes.prefix(taken)
            room -= taken
            return taken
        }
    }

    private static func check(
        _ sent: [UInt8], _ model: [(number: UInt8, isReply: Bool)], dropped: Int
    ) throws(BrokenReply) {
        var rest = sent[...]
        var missing = 0
        for item in model {
            guard let length = rest.first.map(Int.init),
                rest.dropFirst().first == item.number
            else {
                try expect(!item.isReply, "reply \(item.number) is lost")
                missing += 1
                continue
            }
            let chunk = rest.prefix(length)
            try expect(
                chunk.count == length && chunk.dropFirst().allSatisfy { $0 == item.number },
                "chunk \(item.number) is cut")
            rest = rest.dropFirst(length)
        }
        try expect(rest.isEmpty, "\(rest.count) bytes out of order")
        try expect(missing == dropped, "\(missing) are missing, \(dropped) were counted")
    }
}
