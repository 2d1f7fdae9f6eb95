// SPDX-License-Identifier: MIT
import Foundation
import GPSServerExercises
import GPSTestTraits
import Testing

/// The exercises of requests and values, with recorded failures, and requests with mutated inputs.
@Suite(.timeLimit(.generous))
struct RequestExerciseTests {
    private static let folder = URL(filePath: PackageFile.folder + "/Tests/Fixtures/ServerCrashes")

    static let files: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { !$0.hasPrefix(".") }.sorted()
    }()

    @Test func `there are recorded cases`() {
        #expect(!Self.files.isEmpty)
    }

    @Test(arguments: files)
    func `recorded failures do not fail again`(name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
        if name.hasPrefix(ValueExercise.name) {
            try ValueExercise.run(bytes)
        } else {
            try RequestExercise.run(bytes)
        }
    }

    @Test func `mutated requests violate no guarantee`() throws {
        let count = Mutations.count(800)
        print("requests: \(count) inputs from seed \(Mutations.seed)")
        var inputs = try Mutations(of: [Self.session], dictionary: "requests.dict")
        for number in 0..<count {
            var input = inputs.next()
            // Without sockets, because other tests open descriptors at the same time.
            if !input.isEmpty { input[0] &= 3 }
            #expect(throws: Never.self, "input \(number), seed \(Mutations.seed): \(input)") {
                try RequestExercise.run(input)
            }
        }
    }

    /// As the seeds of `scripts/endurance/fuzz`: options, then requests of every kind.
    private static let session =
        [1, 7, 64, 1]
        + Array(
            """
            ?WATCH={"enable":true,"json":true,"raw":2,"device":"/dev/a"};
            ?DEVICE={"path":"/dev/a","bps":38400,"parity":"N","stopbits":1,"native":0,"cycle":0.2};
            ?DEVICES;?VERSION;?POLL;?DEVICE={"hexdata":"b562"}

            """.utf8)

    @Test func `text after a request in the same chunk does not refuse a change`() throws {
        let change = Array(#"?DEVICE={"path":"/dev/a","cycle":0.2};hello"#.utf8)
        try RequestExercise.run([1, 7, 64, 1] + change)
        try RequestExercise.run([1, 7, 64, 1] + Array("hello\n".utf8) + change)
    }
}
