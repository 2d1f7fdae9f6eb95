// SPDX-License-Identifier: MIT
import CGPSAllocations
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

@Suite(
    .timeLimit(.generous),
    .enabled(if: callocations_are_counted() != 0, "a sanitizer has a malloc of its own"))
struct MemoryTests {
    @Test func `hours of attacks retain no more memory than one`() {
        // The epochs are created before, because they contain arrays.
        var epochs: [Bench.Epoch] = []
        _ = Bench(after: 200) { epochs.append($0) }
        var monitor = IntegrityMonitor()
        func attack() {
            for var epoch in epochs {
                epoch.shift(epoch.second.truncatingRemainder(dividingBy: 7) * 100)
                epoch.fix.spoofing = .indicated
                monitor.receive(epoch.fix)
                monitor.receive(epoch.view)
            }
        }
        attack()
        let kept = callocations_kept_by_this_thread()
        for _ in 0..<5 { attack() }
        #expect(callocations_kept_by_this_thread() <= kept)
    }
}
