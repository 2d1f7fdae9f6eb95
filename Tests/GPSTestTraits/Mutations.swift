// SPDX-License-Identifier: MIT
import GNSS
import Glibc
package import Testing

/// Inputs for a fuzzer's exercise in the ordinary tests: changed copies of seeds, as libFuzzer makes
/// them, but without coverage and the same in every run.
///
/// `GPSBRIDGE_FUZZ=100` tries a hundred times as many inputs, and `GPSBRIDGE_SEED=7` others.
package struct Mutations {
    /// The seed of the random numbers. A test prints it.
    package static let seed = number("GPSBRIDGE_SEED") ?? 61

    /// Returns the number of inputs to try if an ordinary run tries `count` of them.
    package static func count(_ count: Int) -> Int { count * (number("GPSBRIDGE_FUZZ") ?? 1) }

    private let seeds: [[UInt8]]
    private let words: [[UInt8]]
    private var random = SeededGenerator(seed: UInt64(truncatingIfNeeded: Self.seed))

    /// Creates the generator. `dictionary` is a libFuzzer dictionary in Tests/Fuzzing; its words are
    /// inserted, as are numbers at the limits of their types.
    package init(of seeds: [[UInt8]], dictionary: String) throws {
        self.seeds = seeds
        words =
            try PackageFile.text("Tests/Fuzzing/\(dictionary)").split(separator: "\n")
            .filter { $0.first == "\"" }
            .map { Array($0.dropFirst().dropLast().replacing("\\\"", with: "\"").utf8) }
            + Self.limits
    }

    /// Returns the next input, of at most 5,000 bytes.
    package mutating func next() -> [UInt8] {
        // One of eight inputs is made of random bytes only.
        guard let seed = seeds.randomElement(using: &random), random.next() % 8 != 0 else {
            return (0..<Int.random(in: 0...400, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
        }
        var bytes = seed
        for _ in 0...Int.random(in: 0...5, using: &random) { change(&bytes) }
        return Array(bytes.prefix(5000))
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...16, using: &random))
        switch random.next() % 8 {
        case 0: bytes.removeSubrange(place..<end)
        case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 3: bytes.replaceSubrange(place..<end, with: words.randomElement(using: &random) ?? [])
        case 4: bytes.insert(contentsOf: words.randomElement(using: &random) ?? [], at: place)
        case 5 where place < end:
            let other = seeds.randomElement(using: &random) ?? []
            bytes.replaceSubrange(place..., with: other.suffix(bytes.count - place))
        case _ where place < end:
            bytes[place] = UInt8.random(in: 0...255, using: &random)
        default: break
        }
    }

    private static let limits: [[UInt8]] =
        [
            "0", "-1", "1e999", "-1e999", "nan", "65536", "2147483648", "4294967296",
            "9223372036854775807", "-9223372036854775808", "18446744073709551616",
        ].map { Array($0.utf8) } + [
            [0, 0, 0, 0x80], [0xFF, 0xFF, 0xFF, 0x7F], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0x80],
            [0xFF, 0x7F],
        ]

    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }
}

/// Runs each test `GPSBRIDGE_REPETITIONS` times in one process. Default: once.
package struct Repeated: TestTrait, SuiteTrait, TestScoping {
    package static let count = max(
        1, getenv("GPSBRIDGE_REPETITIONS").flatMap { Int(String(cString: $0)) } ?? 1)

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent () async throws -> Void
    ) async throws {
        for _ in 0..<(testCase == nil ? 1 : Self.count) { try await function() }
    }
}

extension Trait where Self == Repeated {
    /// Marks a test that can be repeated, because it must not fail once in a thousand runs.
    package static var repeated: Self { Repeated() }
}
