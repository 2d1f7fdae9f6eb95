// SPDX-License-Identifier: MIT
import GNSSAuthentication
import GNSSNavigation
import GPSTestTraits
import Testing

extension INAVPage {
    /// The same page with a different bit of the word.
    fileprivate func flipping(word bit: Int) -> INAVPage {
        let (high, low) = (word.number(0, 64), word.number(64, 64))
        let flipped =
            bit < 64
            ? INAVWord(high: high ^ 1 << UInt64(63 - bit), low: low)
            : INAVWord(high: high, low: low ^ 1 << UInt64(127 - bit))
        return INAVPage(word: flipped, osnma: osnma)
    }

    /// The same page with a different bit of the field for authentication.
    fileprivate func flipping(osnma bit: Int) -> INAVPage {
        INAVPage(word: word, osnma: osnma ^ 1 << UInt64(39 - bit))
    }
}

extension TimedPage {
    fileprivate func with(_ page: INAVPage) -> TimedPage {
        TimedPage(svid: svid, start: start, page: page)
    }

    fileprivate func later(_ seconds: Int) -> TimedPage {
        TimedPage(svid: svid, start: start + seconds, page: page)
    }
}

/// A change of the recording of a receiver, by its name in the answers.
private struct Fault: Sendable {
    private static let satellite: UInt8 = 31
    private static let first = 141_300

    let change: @Sendable (TimedPage) -> TimedPage?
    var synchronisation = Synchronisation.allTags

    /// Flips a bit of a word of the satellite in some sub-frames.
    private static func word(_ type: Int, _ bit: Int, until last: Int = first) -> Fault {
        Fault { page in
            let isChanged =
                page.svid == satellite && page.page.word.type == type
                && first...last ~= page.start.subframe.timeOfWeek
            return isChanged ? page.with(page.page.flipping(word: bit)) : page
        }
    }

    /// Flips a bit of the field of a page of the satellite, or of all.
    private static func osnma(_ number: Int, _ bit: Int, ofAll: Bool = false) -> Fault {
        Fault { page in
            let isChanged =
                (ofAll || page.svid == satellite) && page.start.timeOfWeek == first + 2 * number + 1
            return isChanged && page.page.osnma != 0
                ? page.with(page.page.flipping(osnma: bit)) : page
        }
    }

    private static func lost(
        _ numbers: ClosedRange<Int>, ofAll: Bool = false, until last: Int = first
    ) -> Fault {
        Fault { page in
            let number = (page.start.timeOfWeek % 30 - 1) / 2
            let isLost =
                (ofAll || page.svid == satellite) && numbers ~= number
                && first...last ~= page.start.subframe.timeOfWeek
            return isLost ? nil : page
        }
    }

    private static func clock(ahead lead: Double) -> Fault {
        Fault(change: { $0 }, synchronisation: Synchronisation(lead: lead, bound: 0))
    }

    static let all: [String: Fault] = [
        "none": Fault { $0 },
        "w1-once": word(1, 50), "w1-10min": word(1, 50, until: 141_870),
        "w1-on": word(1, 50, until: .max), "w5-once": word(5, 20),
        "w5-on": word(5, 20, until: .max),
        "w6-once": word(6, 20), "w6-on": word(6, 20, until: .max), "iod-once": word(1, 15),
        "tag0": osnma(0, 11), "macseq": osnma(1, 18), "cop": osnma(3, 23), "key-one": osnma(11, 11),
        "key-all": osnma(11, 11, ofAll: true), "nmas-all": osnma(0, 1, ofAll: true),
        "dsm-one": osnma(9, 3), "dsm-all": osnma(9, 3, ofAll: true),
        "page-lost-1": lost(10...10), "page-lost-0": lost(0...0),
        "pages-lost": lost(10...10, ofAll: true), "subframe-lost": lost(0...14, ofAll: true),
        "10min-lost": lost(0...14, ofAll: true, until: 141_870),
        "label+30": Fault { $0.later(30) }, "label-30": Fault { $0.later(-30) },
        "label+31": Fault { $0.later(31) }, "label+2": Fault { $0.later(2) },
        "label+604800": Fault { $0.later(604_800) }, "label-604800": Fault { $0.later(-604_800) },
        "host+30": clock(ahead: 30), "host+31": clock(ahead: 31), "host+330": clock(ahead: 330),
        "host+331": clock(ahead: 331), "host-31": clock(ahead: -31),
    ]
}

@Suite(
    .timeLimit(.generous),
    .enabled(if: !SignedRecordings.names.isEmpty, "recordings with known answers are not here"))
struct FaultTests {
    private static func answer(_ id: String) throws -> [String: String] {
        try #require(SignedRecordings.answers("faults").first { $0["id"] == id })
    }

    @Test(arguments: Fault.all.keys.sorted())
    func `a change of a recording has the known outcome`(_ id: String) throws {
        let fault = try #require(Fault.all[id])
        let name = SignedRecordings.receiver
        let pages = try SignedRecordings.pages(of: name).compactMap(fault.change)
        let ring = try SignedRecordings.ring(of: name)
        Authentication(pages, ring, fault.synchronisation).expect(try Self.answer(id))
    }

    @Test func `without the right public key, nothing is known`() throws {
        let name = SignedRecordings.receiver
        let pages = try SignedRecordings.pages(of: name)
        let right = try #require(try SignedRecordings.ring(of: name).keys.first)
        func found(id: UInt8, point: [UInt8]) throws -> Authentication {
            var ring = KeyRing()
            let key = try #require(Key<Unverified>(id: id, curve: .p256, point: point))
            ring.add(key.installed(in: nil))
            return Authentication(pages, ring)
        }
        let other = try #require(try SignedRecordings.ring(of: "eoc_step1").keys.first)
        let unknown = try found(id: 1, point: other.point)
        unknown.expect(try Self.answer("pkid1"))
        #expect(unknown.counts.rootsWithoutKey == 71)
        try found(id: right.id, point: other.point).expect(try Self.answer("wrong-key"))
        #expect(Authentication(pages, KeyRing()).count(of: "U") == 1890)
    }

    @Test func `no flipped bit is authenticated, and no other satellite fails`() throws {
        let name = SignedRecordings.receiver
        let all = try SignedRecordings.pages(of: name)
        let ring = try SignedRecordings.ring(of: name)
        let begin = try #require(all.first).start.subframe
        let part = all.filter { $0.start - begin < 900 }
        let clean = Authentication(part, ring)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10 {
            // In each sub-frame, a bit of a page of a satellite.
            var flipped: [GalileoTime: (page: TimedPage, bit: Int)] = [:]
            for (start, pages) in Dictionary(grouping: part, by: \.start.subframe) {
                guard start.timeOfWeek % 120 == 0, let page = pages.randomElement(using: &generator)
                else { continue }
                flipped[start] = (page, Int.random(in: 0..<168, using: &generator))
            }
            let changed = part.map { page in
                guard let (target, bit) = flipped[page.start.subframe], target == page else {
                    return page
                }
                return page.with(
                    bit < 128 ? page.page.flipping(word: bit) : page.page.flipping(osnma: bit - 128)
                )
            }
            let found = Authentication(changed, ring)
            for report in found.reports {
                let flip = flipped[report.start]
                for (satellite, verdict) in report.verdicts {
                    if let (page, bit) = flip, page.svid == satellite, isSigned(page, bit) {
                        #expect(verdict != .authenticated, "\(report.start) E\(satellite) \(bit)")
                    }
                    guard verdict == .failed else { continue }
                    // Only a satellite whose data or tags were changed in the last minutes.
                    let isChanged = flipped.contains { start, flip in
                        0...360 ~= report.start - start
                            && (flip.page.svid == satellite || flip.bit >= 128)
                    }
                    #expect(isChanged, "\(report.start) E\(satellite)")
                }
            }
            #expect(found.counts.keys >= clean.counts.keys - flipped.count)
        }
    }

    /// Whether the bit of a page belongs to the orbit's data, and the page still has their issue.
    private func isSigned(_ page: TimedPage, _ bit: Int) -> Bool {
        switch page.page.word.type {
        case 1, 2, 4: 16..<126 ~= bit
        case 3: 16..<128 ~= bit
        case 5: 6..<73 ~= bit
        default: false
        }
    }
}
