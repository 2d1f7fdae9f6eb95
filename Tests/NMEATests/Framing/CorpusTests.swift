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
        let decoded = expectEveryChunking(bytes)
        #expect(!decoded.sentences.isEmpty || name.hasPrefix("hp58534a"))

        var instants: Set<String> = []
        for fix in decoded.fixes where fix.mode > .noFix {
            guard let instant = fix.time?.description ?? fix.timeOfDay.map({ "\($0)" }) else {
                continue
            }
            #expect(instants.insert(instant).inserted, "\(instant) twice")
        }
    }

    @Test(arguments: Corpus.names)
    func `every sentence ends in exactly one counter`(name: String) throws {
        let decoded = Transcript([try Corpus.bytes(name)[...]])
        // An interrupted set is also counted, but its sentences are complete.
        let misunderstood = decoded.rejections.count {
            [.tooFewFields, .badAddress, .gsvIncomplete].contains($0.reason)
        }
        #expect(decoded.sentences.count == decoded.statistics.valid + misunderstood)
        // A set interrupted by the next one is counted without a rejected sentence.
        #expect(decoded.rejections.count <= decoded.statistics.rejected)
        let others = Rejection.Reason.allCases.filter { $0 != .gsvIncomplete }
        let rejected = others.reduce(0) { $0 + decoded.statistics[$1] }
        #expect(decoded.rejections.count { $0.reason != .gsvIncomplete } == rejected)
    }
}
