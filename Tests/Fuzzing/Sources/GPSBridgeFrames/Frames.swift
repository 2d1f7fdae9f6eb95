// SPDX-License-Identifier: MIT
import Dispatch
import GNSS
import GPSExercises
import Glibc
import Synchronization

/// `gpsbridge-frames [COUNT [SEED]]`: runs the exercise *frames* with COUNT random inputs, on all
/// processor cores.
///
/// libFuzzer searches with the coverage of earlier inputs, and with a sanitizer; this program only
/// searches, a hundred times as fast. Swift's own checks end it at a trap.
@main
enum Frames {
    private static let block = 100_000

    static func main() {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let count = arguments.first ?? 1_000_000
        let seed = UInt64(truncatingIfNeeded: arguments.dropFirst().first ?? time(nil))
        let blocks = (count + block - 1) / block
        let failures = Atomic(0)
        print("\(blocks * block) inputs from seed \(seed)")
        fflush(nil)
        DispatchQueue.concurrentPerform(iterations: blocks) { index in
            var random = SeededGenerator(seed: seed &+ UInt64(index) << 32)
            var input: [UInt8] = []
            for _ in 0..<block {
                input.removeAll(keepingCapacity: true)
                let words = 1 + random.next() % 12
                for _ in 0..<words { withUnsafeBytes(of: random.next()) { input += $0 } }
                do {
                    try Exercise.frames.run(input)
                } catch {
                    failures.add(1, ordering: .relaxed)
                    print("\(error): \(input)")
                }
            }
        }
        let failed = failures.load(ordering: .relaxed)
        print("\(failed) findings")
        if failed > 0 { exit(1) }
    }
}
