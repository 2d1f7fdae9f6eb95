// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct DeadlineHeapTests {
    @Test func `returns the earliest deadline for any order of insertion`() {
        var heap = DeadlineHeap<UInt64>()
        let start = MonotonicInstant.now
        let delays = (0..<200).shuffled()
        for delay in delays {
            heap.insert(start.advanced(by: .seconds(delay)), token: UInt64(delay))
        }
        for delay in 0..<200 {
            #expect(heap.first?.token == UInt64(delay))
            #expect(heap.first?.instant == start.advanced(by: .seconds(delay)))
            heap.removeFirst()
        }
        #expect(heap.first == nil)
        #expect(heap.isEmpty)
    }

    @Test func `compacting keeps pending deadlines`() {
        var heap = DeadlineHeap<UInt64>()
        let start = MonotonicInstant.now
        for delay in 0..<100 {
            heap.insert(start.advanced(by: .seconds(100 - delay)), token: UInt64(delay))
        }
        heap.compact { $0 % 10 == 0 }
        #expect(heap.count == 10)
        #expect(heap.first?.token == 90)
    }
}
