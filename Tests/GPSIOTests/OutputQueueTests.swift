// SPDX-License-Identifier: MIT
import GPSIO
import GPSTestTraits
import Testing

/// The queue of bytes for a slow client.
@Suite(.timeLimit(.generous))
struct OutputQueueTests {
    @Test func `bytes leave in order for every size of write`() {
        var queue = OutputQueue(limit: 100)
        queue.append(kept: Array("one\n".utf8))
        queue.append(droppable: Array("two\n".utf8))
        queue.append(droppable: Array("three\n".utf8))
        var sent: [UInt8] = []
        while !queue.isEmpty {
            var room = 3
            queue.drain { bytes in
                let taken = bytes.prefix(room)
                room -= taken.count
                sent += taken
                return taken.count
            }
        }
        #expect(String(decoding: sent, as: UTF8.self) == "one\ntwo\nthree\n")
        #expect(queue.droppedCount == 0)
    }

    @Test
    func `without room the oldest reports are dropped, but no replies and no partly sent message`()
    {
        var queue = OutputQueue(limit: 12)
        queue.append(droppable: Array("aaaa\n".utf8))
        queue.drain { _ in 0 }
        var isFirst = true
        queue.drain { _ in
            defer { isFirst = false }
            return isFirst ? 1 : 0
        }
        queue.append(kept: Array("reply\n".utf8))
        for letter in ["b", "c", "d", "e"] {
            queue.append(droppable: Array("\(letter)\(letter)\n".utf8))
        }
        var rest: [UInt8] = []
        queue.drain {
            rest += $0
            return $0.count
        }
        #expect(String(decoding: rest, as: UTF8.self) == "aaa\nreply\nee\n")
        #expect(queue.droppedCount == 3)
        #expect(queue.count == 0)
    }
}
