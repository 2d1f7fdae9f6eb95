// SPDX-License-Identifier: MIT
import Foundation
import GPSServerExercises
import GPSTestTraits
import Testing

/// The exercise of the request fuzzer, with recorded failures and with random bytes.
@Suite(.timeLimit(.generous))
struct RequestExerciseTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/ServerCrashes").standardizedFileURL

    static let files: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { $0.hasPrefix(RequestExercise.name) }.sorted()
    }()

    @Test func `there are recorded cases`() {
        #expect(!Self.files.isEmpty)
    }

    @Test(arguments: files)
    func `recorded failures do not fail again`(name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
        try RequestExercise.run(bytes)
    }

    @Test func `random bytes violate no invariant`() {
        for _ in 0..<200 {
            let count = Int.random(in: 0...400)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...127) }
            // Without sockets, because other tests open descriptors at the same time.
            if !bytes.isEmpty { bytes[0] &= 3 }
            #expect(throws: Never.self, "\(bytes)") { try RequestExercise.run(bytes) }
        }
    }
}
