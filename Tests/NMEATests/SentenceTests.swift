// SPDX-License-Identifier: MIT
import Foundation
import GPSTestTraits
import NMEA
import Testing

/// The list of sentences, compared with the files of their folder.
@Suite(.timeLimit(.generous)) struct SentencesTests {
    @Test func `every sentence in the folder is in the list`() throws {
        let listed = Set(knownSentences.map { "\($0)" })
        let files = try SentenceFiles.all()
        #expect(files.count > 40)
        for file in files where file.source.contains(/: (Declared|Datum|Instrument)?Sentence\b/) {
            #expect(listed.contains(file.name), "add to Sentences.swift: \(file.name).self,")
        }
    }

    @Test func `every sentence has a file, a valid specimen and a unique formatter`()
        throws
    {
        let formatters = knownSentences.map { $0.formatter }
        #expect(Set(formatters).count == formatters.count)
        for type in knownSentences {
            let specimen = try SentenceFiles.specimen(of: type)
            let isRead = reads(type, specimen)
            let body = specimen.dropFirst().prefix { $0 != "*" }
            let sealed = line(String(body), end: "")
            #expect(isRead, "\(type): \(specimen); with its checksum: \(sealed)")
        }
    }

    @Test func `the fuzzers know how every sentence begins`() throws {
        let dictionary = try String(
            contentsOf: SentenceFiles.package.appending(path: "Tests/Fuzzing/nmea.dict"),
            encoding: .utf8)
        for type in knownSentences {
            let entry = "\"\(type.formatter),\""
            #expect(dictionary.contains(entry), "add to nmea.dict: \(entry)")
        }
    }

    private func reads<S: Sentence>(_ type: S.Type, _ text: String) -> Bool {
        (try? S(text)) != nil
    }

    @Test func `a specimen has no field that its type does not read`() throws {
        for type in knownSentences {
            let decoded = decode(try SentenceFiles.specimen(of: type))
            #expect(decoded.statistics.fieldErrors == 0, "\(type)")
            #expect(decoded.statistics.accepted == 1, "\(type)")
        }
    }
}

/// The source files of the sentences, each with a specimen in its documentation.
enum SentenceFiles {
    /// The folder of the package.
    static let package = URL(filePath: PackageFile.folder)

    static func all() throws -> [(name: String, source: String)] {
        let folder = package.appending(path: "Sources/NMEA/Sentences")
        let folders = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [])
        let files = try folders.filter { $0.pathExtension.isEmpty }.flatMap {
            try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: [])
        }
        return try files.map { file in
            let source = try String(contentsOf: file, encoding: .utf8)
            return (file.deletingPathExtension().lastPathComponent, source)
        }
    }

    static func specimen(of type: any Sentence.Type) throws -> String {
        let file = try #require(
            try all().first { $0.name == "\(type)" },
            "no Sources/NMEA/Sentences/FOLDER/\(type).swift: the file has the type's name")
        let source = file.source
        let lines = source.split(separator: "\n").map { $0.drop { "/ ".contains($0) } }
        let specimen = lines.first { $0.hasPrefix("$") && !$0.hasSuffix("*hh") }
        return String(try #require(specimen, "no specimen in the documentation of \(type)"))
    }
}
