// SPDX-License-Identifier: MIT
import CGPSAllocations
import GPSExercises
import GPSTestTraits
import Testing

/// The memory in use does not grow with the input. `scripts/endurance/year` checks that optimised
/// code does not allocate at all.
@Suite(
    .timeLimit(.generous),
    .enabled(if: callocations_are_counted() != 0, "a sanitizer has a malloc of its own"))
struct AllocationTests {
    @Test(arguments: SteadyState.LineProtocol.allCases, [Int.max, 100, 1])
    func `a minute of a known receiver retains no memory`(
        line: SteadyState.LineProtocol, chunk: Int
    ) {
        var state = SteadyState(line, chunk: chunk)
        let minute = line.minute(12)
        let keptBefore = callocations_kept_by_this_thread()
        state.push(minute)
        let kept = callocations_kept_by_this_thread() - keptBefore
        #expect(state.fixes >= 49)
        #expect(kept == 0)
    }

    @Test func `allocated and retained memory is counted`() {
        let keptBefore = callocations_kept_by_this_thread()
        let before = callocations_of_this_thread()
        let array = [UInt8](repeating: 1, count: Int.random(in: 5000...6000))
        #expect(callocations_of_this_thread() > before)
        #expect(callocations_kept_by_this_thread() > keptBefore)
        #expect(array.count >= 5000)
    }
}
