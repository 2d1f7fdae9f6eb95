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
    /// Found once, because it takes longer than the tests.
    private static let found = Result {
        let type = /(?m)((?:^\/\/\/.*\n)*)^(?:public |package )?struct (\w+): \w*Sentence\b/
        return try PackageFile.sources(of: "NMEA").flatMap { source in
            source.matches(of: type).map { (name: String($0.2), comment: String($0.1)) }
        }
    }

    static func all() throws -> [(name: String, comment: String)] { try found.get() }

    static func specimen(of type: any Sentence.Type) throws -> String {
        let sentence = try #require(try all().first { $0.name == "\(type)" }, "no struct \(type)")
        let lines = sentence.comment.split(separator: "\n").map { $0.drop { "/ ".contains($0) } }
        let specimen = lines.first { $0.hasPrefix("$") && !$0.hasSuffix("*hh") }
        return String(try #require(specimen, "no specimen in the documentation of \(type)"))
    }
}

/// The parts of an address.
@Suite(.timeLimit(.generous)) struct AddressTests {
    private func statistics(_ address: String) -> Statistics {
        decode(line(address + ",1")).statistics
    }

    @Test(arguments: ["GNSTA", "ZZ7Q2"])
    func `a talker of two letters and a formatter of three are a standard address`(address: String)
    {
        #expect(statistics(address).raw == 1)
    }

    @Test(arguments: ["GPN", "LOG108", "GYOACC", "SNRSTATUS9"])
    func `addresses of other lengths are kept`(address: String) {
        #expect(statistics(address).raw == 1)
    }

    @Test(arguments: ["GpGGA", "GP GA", "GPG-A", "(GGA)", "LONGERNAMe"])
    func `invalid characters of an address are counted`(address: String) {
        #expect(statistics(address)[.badAddress] == 1)
    }

    @Test(arguments: ["PACME", "PACMETXTVersion 2", "Pfree form"])
    func `a proprietary address can have any form`(address: String) {
        #expect(statistics(address).proprietaryRaw == 1)
    }

    @Test func `Quectel's talker PQ is not a manufacturer`() {
        let decoded = decode(line("PQGSV,1,1,01,05,41,181,36,1,4"))
        #expect(decoded.inView == "C05")
        #expect(decoded.statistics.proprietaryRaw == 0)
    }

    @Test func `five letters ending in Q are a query`() {
        #expect(statistics("IIGPQ").query == 1)
    }
}

@Suite(.timeLimit(.generous)) struct TagBlockTests {
    private let block = TagBlock(text: "s:mast,d:log,c:1715674530,g:1-2-33,n:7,r:12,t:a note")

    @Test func `every field is available by its letter`() {
        #expect(block.source == "mast")
        #expect(block.destination == "log")
        #expect(block.group == "1-2-33")
        #expect(block.lineNumber == 7)
        #expect(block.relativeTime == 12)
        #expect(block.note == "a note")
        #expect(block["x"] == nil)
    }

    @Test func `times in seconds and in milliseconds are the same instant`() {
        #expect(block.unixMilliseconds == 1_715_674_530_000)
        #expect(TagBlock(text: "c:1715674530250").unixMilliseconds == 1_715_674_530_250)
        #expect(TagBlock(text: "c:soon").unixMilliseconds == nil)
    }
}
