// SPDX-License-Identifier: MIT
import Foundation
import GPSTestTraits
import NMEA
import Testing

/// The list of sentences, compared with the files of their folder.
@Suite(.timeLimit(.generous)) struct SentencesTests {
    @Test func `every sentence in the folder is in the list`() throws {
        let listed = Set(knownSentences.map { "\($0)" })
        let sentences = try SentenceFiles.all()
        #expect(sentences.count > 40)
        for sentence in sentences {
            #expect(
                listed.contains(sentence.name), "add to knownSentences: \(sentence.name).self,")
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
        let dictionary = try PackageFile.text("Tests/Fuzzing/nmea.dict")
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

/// The sentences in the source files, each with a specimen in the comment above its type.
enum SentenceFiles {
    static func all() throws -> [(name: String, comment: String)] {
        let type = /(?m)((?:^\/\/\/.*\n)*)^(?:public |package )?struct (\w+): \w*Sentence\b/
        return try PackageFile.sources(of: "NMEA").flatMap { source in
            source.matches(of: type).map { (name: String($0.2), comment: String($0.1)) }
        }
    }

    static func specimen(of type: any Sentence.Type) throws -> String {
        let sentence = try #require(try all().first { $0.name == "\(type)" }, "no struct \(type)")
        let lines = sentence.comment.split(separator: "\n").map { $0.drop { "/ ".contains($0) } }
        let specimen = lines.first { $0.hasPrefix("$") && !$0.hasSuffix("*hh") }
        return String(try #require(specimen, "no specimen in the documentation of \(type)"))
    }
}
