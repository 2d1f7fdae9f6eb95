// SPDX-License-Identifier: MIT
import GNSS
import Foundation
import GPSExercises
import GPSTestTraits
import Testing

/// The exercises of the fuzzers, with recorded failures and with random bytes.
@Suite(.timeLimit(.generous)) struct ExerciseTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/Crashes").standardizedFileURL

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

    @Test(arguments: Exercise.all.map(\.name))
    func `random bytes violate no invariant`(name: String) throws {
        let exercise = try #require(Exercise.named(name))
        for _ in 0..<50 {
            let seed = UInt64.random(in: 0 ... .max)
            var random = SeededGenerator(seed: seed)
            let count = Int.random(in: 0...400, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(throws: Never.self, "seed \(seed)") { try exercise.run(bytes) }
        }
    }
}
