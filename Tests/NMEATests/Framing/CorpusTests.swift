// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Recordings of real receivers, if available.
@Suite(
    .timeLimit(.generous),
    .enabled(if: Corpus.folder != nil, "no recordings: set GPSBRIDGE_CORPUS to their folder"))
struct CorpusTests {
    @Test(arguments: Corpus.names)
    func `every chunking gives the same events, and each epoch occurs once`(name: String) throws {
        let bytes = try Corpus.bytes(name)
        let heard = expectEveryChunking(bytes)
        #expect(!heard.sentences.isEmpty || name.hasPrefix("hp58534a"))

        var instants: Set<String> = []
        for fix in heard.fixes where fix.mode > .noFix {
            guard let instant = fix.time?.description ?? fix.timeOfDay.map({ "\($0)" }) else {
                continue
            }
            #expect(instants.insert(instant).inserted, "\(instant) twice")
        }
    }

    @Test(arguments: Corpus.names)
    func `every sentence ends in exactly one counter`(name: String) throws {
        let heard = Transcript([try Corpus.bytes(name)[...]])
        // An interrupted set is also counted, but its sentences are complete.
        let misunderstood = heard.rejections.count {
            [.tooFewFields, .badAddress, .gsvIncomplete].contains($0.reason)
        }
        #expect(heard.sentences.count == heard.statistics.valid + misunderstood)
        // A set interrupted by the next one is counted without a rejected sentence.
        #expect(heard.rejections.count <= heard.statistics.rejected)
        let others = Rejection.Reason.allCases.filter { $0 != .gsvIncomplete }
        let rejected = others.reduce(0) { $0 + heard.statistics[$1] }
        #expect(heard.rejections.count { $0.reason != .gsvIncomplete } == rejected)
    }
}
