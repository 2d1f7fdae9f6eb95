// SPDX-License-Identifier: MIT
import Foundation
import GPSExercises
import GPSTestTraits
import Testing

/// The exercises of the fuzzers, with recorded failures and with random bytes.
@Suite(.timeLimit(.generous)) struct ExerciseTests {
    private static let folder = URL(filePath: PackageFile.folder + "/Tests/Fixtures/Crashes")

    static let files: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { !$0.hasPrefix(".") }.sorted()
    }()

    @Test(arguments: files)
    func `recorded failures do not fail again`(name: String) throws {
        let exercise = try #require(
            Exercise.all.first { name.hasPrefix($0.name + "-") }, "whose is it?")
        try exercise.run([UInt8](try Data(contentsOf: Self.folder.appending(path: name))))
    }

    @Test func `every exercise has recorded cases`() {
        for exercise in Exercise.all {
            #expect(Self.files.contains { $0.hasPrefix(exercise.name + "-") }, "\(exercise.name)")
        }
    }

    /// The inputs that each exercise gets in an ordinary run: some seconds' worth.
    private static let counts = [
        "framing": 60, "assembly": 1000, "writing": 3000, "messages": 600, "frames": 5000,
    ]

    @Test(arguments: Exercise.all.map(\.name))
    func `mutated inputs violate no guarantee`(name: String) throws {
        let exercise = try #require(Exercise.named(name))
        let count = Mutations.count(try #require(Self.counts[name]))
        print("\(name): \(count) inputs from seed \(Mutations.seed)")
        var inputs = try Mutations(of: try Self.seeds(of: name), dictionary: "nmea.dict")
        for number in 0..<count {
            let input = inputs.next()
            #expect(throws: Never.self, "input \(number), seed \(Mutations.seed): \(input)") {
                try exercise.run(input)
            }
        }
    }

    /// Recorded failures, and the beginnings of receivers' recordings.
    private static func seeds(of name: String) throws -> [[UInt8]] {
        var seeds = try files.filter { $0.hasPrefix(name + "-") }.map {
            [UInt8](try Data(contentsOf: folder.appending(path: $0)))
        }
        guard name == "framing" else { return seeds }
        let receivers = folder.appending(path: "../Receivers").standardizedFileURL
        for file in try FileManager.default.contentsOfDirectory(atPath: receivers.path)
        where file.hasSuffix(".nmea") {
            let content = [UInt8](try Data(contentsOf: receivers.appending(path: file)))
            let sentences = content.drop { $0 != UInt8(ascii: "$") }
            seeds.append([0, 7, 64, 1, 0, 18, 5] + sentences.prefix(1000))
        }
        return seeds
    }
}
