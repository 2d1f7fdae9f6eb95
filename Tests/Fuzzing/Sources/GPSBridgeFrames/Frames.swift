// SPDX-License-Identifier: MIT
import Dispatch
import GNSS
import GPSExercises
import Glibc
import Synchronization

/// `gpsbridge-frames [COUNT [SEED [EXERCISE]]]`: runs the exercise *frames*, or another one, with
/// COUNT random inputs, on all processor cores.
///
/// An input of *navigation* has up to 23 messages; each is decoded as it is, and with a changed bit.
/// An input of *authentication* has up to 20 executions, which are counted.
///
/// libFuzzer searches with the coverage of earlier inputs, and with a sanitizer; this program only
/// searches, a hundred times as fast. Swift's own checks end it at a trap.
@main
enum Frames {
    private static let block = 10_000

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        let arguments = words.prefix(2).compactMap { Int($0) }
        let count = arguments.first ?? 1_000_000
        let seed = UInt64(truncatingIfNeeded: arguments.dropFirst().first ?? time(nil))
        guard let exercise = Exercise.named(words.dropFirst(2).first ?? "frames") else {
            print("not an exercise: \(words.joined(separator: " "))")
            exit(64)
        }
        let length = exercise.name == "authentication" ? UInt64(64) : 12
        let blocks = (count + block - 1) / block
        let failures = Atomic(0)
        print("\(blocks * block) inputs from seed \(seed)")
        fflush(nil)
        DispatchQueue.concurrentPerform(iterations: blocks) { index in
            var random = SeededGenerator(seed: seed &+ UInt64(index) << 32)
            var input: [UInt8] = []
            for _ in 0..<block {
                input.removeAll(keepingCapacity: true)
                let size = 1 + random.next() % length
                for _ in 0..<size { withUnsafeBytes(of: random.next()) { input += $0 } }
                do {
                    try exercise.run(input)
                } catch {
                    failures.add(1, ordering: .relaxed)
                    print("\(error): \(input)")
                }
            }
        }
        let failed = failures.load(ordering: .relaxed)
        let executions = Exercise.authenticationCount.load(ordering: .relaxed)
        if executions > 0 { print("\(executions) executions") }
        print("\(failed) findings")
        if failed > 0 { exit(1) }
    }
}
