// SPDX-License-Identifier: MIT
import Dispatch
import GNSS
import GNSSAuthentication
import GNSSNavigation
import Glibc
import Synchronization
import UBX

/// `gpsbridge-flips FILE ID POINT [PAGES]`: flips each bit of PAGES pages in a recording of Galileo's
/// signatures, one at a time, and verifies the next sub-frames with the public key ID, a compressed point
/// in hexadecimal digits. It runs on all processor cores.
///
/// A run begins with the state before the page's sub-frame. Satellites are independent of each other's words, so
/// that a run flips the same bit of the words of every second satellite.
@main
enum Flips {
    /// The sub-frames that are verified after a flip of a word: those with its tags, and their key.
    private static let wordSubframes = 3
    private static let fieldSubframes = 2

    private struct Subframe: Sendable {
        let pages: [TimedPage]
        /// The state before it.
        let state: Authenticator
        /// The verdicts of the unchanged recording.
        let verdicts: [UInt8: AuthenticationVerdict]
    }

    private static let flips = Atomic(0), runs = Atomic(0)
    private static let authenticated = Atomic(0), failures = Atomic(0), refused = Atomic(0)

    static func main() {
        let words = CommandLine.arguments
        guard words.count > 3, let bytes = read(words[1]), let id = UInt8(words[2]),
            let point = Hexadecimal.bytes(words[3]),
            let key = Key<Unverified>(
                id: id, curve: point.count == 33 ? .p256 : .p521, point: point)
        else {
            print("gpsbridge-flips FILE ID POINT [PAGES]")
            exit(2)
        }
        let wanted = words.count > 4 ? Int(words[4]) ?? 10_000 : 10_000
        var ring = KeyRing()
        ring.add(key.installed(in: nil))
        let subframes = subframes(of: bytes, ring)
        // Those from which on all satellites have a verdict.
        let first = subframes.firstIndex { $0.verdicts.values.contains(.authenticated) } ?? 0
        var pages = 0
        for index in (first + 2)..<max(first + 2, subframes.count - wordSubframes) {
            guard pages < wanted else { break }
            let count = subframes[index].pages.count
            DispatchQueue.concurrentPerform(iterations: 15 * 2 + count) { part in
                if part < 30 {
                    flipWords(of: part / 2, part % 2, in: subframes, index)
                } else {
                    flipField(of: subframes[index].pages[part - 30], in: subframes, index)
                }
            }
            pages += count
            print(
                "pages=\(pages) bits=\(flips.load(ordering: .relaxed)) "
                    + "runs=\(runs.load(ordering: .relaxed)) "
                    + "not_authenticated=\(refused.load(ordering: .relaxed)) "
                    + "wrongly_authenticated=\(authenticated.load(ordering: .relaxed)) "
                    + "wrongly_failed=\(failures.load(ordering: .relaxed))")
            fflush(nil)
        }
        let wrong = authenticated.load(ordering: .relaxed) + failures.load(ordering: .relaxed)
        exit(wrong == 0 && pages >= wanted ? 0 : 1)
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
            bytes += buffer.prefix(count)
        }
        return bytes
    }

    private static func subframes(of bytes: [UInt8], _ ring: KeyRing) -> [Subframe] {
        var reader = GalileoPageReader()
        var pages: [TimedPage] = []
        let span = bytes.span
        var start = 0
        while start < span.count {
            guard span[start] == 0xB5, let frame = UBXFrame(span.extracting(start..<span.count))
            else {
                start += 1
                continue
            }
            if let page = reader.push(frame) { pages.append(page) }
            start += frame.payload.count + 8
        }
        var subframes: [Subframe] = []
        var authenticator = Authenticator(ring, Libcrypto())
        let starts = Set(pages.map(\.start.subframe)).sorted()
        let groups = Dictionary(grouping: pages, by: \.start.subframe)
        for start in starts {
            let pages = groups[start] ?? []
            let state = authenticator
            let verdicts = verify(pages, &authenticator)
            subframes.append(Subframe(pages: pages, state: state, verdicts: verdicts))
        }
        return subframes
    }

    private static func verify(
        _ pages: [TimedPage], _ authenticator: inout Authenticator
    ) -> [UInt8: AuthenticationVerdict] {
        var verdicts: [UInt8: AuthenticationVerdict] = [:]
        func note(_ event: AuthenticationEvent) {
            guard case .subframe(let report) = event else { return }
            for (satellite, verdict) in report.verdicts { verdicts[satellite] = verdict }
        }
        for page in pages { authenticator.push(page, .allTags, note) }
        authenticator.finish(note)
        return verdicts
    }

    /// Verifies sub-frames, of which the first one has changed. Calls `body` with each one's verdicts.
    private static func run(
        _ pages: [TimedPage], _ subframes: [Subframe], _ index: Int, count: Int,
        _ body: (Int, [UInt8: AuthenticationVerdict]) -> Void
    ) {
        runs.add(1, ordering: .relaxed)
        var authenticator = subframes[index].state
        for number in 0..<count where index + number < subframes.count {
            let pages = number == 0 ? pages : subframes[index + number].pages
            body(number, verify(pages, &authenticator))
        }
    }

    private static func note(_ text: String, _ counter: borrowing Atomic<Int>) {
        counter.add(1, ordering: .relaxed)
        print(text)
    }

    /// Flips each bit of the words of a page of every second satellite.
    private static func flipWords(
        of page: Int, _ half: Int, in subframes: [Subframe], _ index: Int
    ) {
        let original = subframes[index].pages
        let chosen = original.indices.filter {
            (original[$0].start - original[$0].start.subframe) / 2 == page
                && Int(original[$0].svid) % 2 == half
        }
        guard !chosen.isEmpty else { return }
        for bit in 0..<128 {
            var pages = original
            var changed: [UInt8: (old: Int, new: Int)] = [:]
            for place in chosen {
                let word = original[place].page.word
                let (high, low) = (word.number(0, 64), word.number(64, 64))
                let flipped =
                    bit < 64
                    ? INAVWord(high: high ^ 1 << UInt64(63 - bit), low: low)
                    : INAVWord(high: high, low: low ^ 1 << UInt64(127 - bit))
                pages[place] = TimedPage(
                    svid: original[place].svid, start: original[place].start,
                    page: INAVPage(word: flipped, osnma: original[place].page.osnma))
                changed[original[place].svid] = (word.type, flipped.type)
            }
            flips.add(chosen.count, ordering: .relaxed)
            run(pages, subframes, index, count: wordSubframes) { number, verdicts in
                for (satellite, verdict) in verdicts {
                    let types = changed[satellite]
                    let name =
                        "sub-frame \(subframes[index].pages[0].start) + \(number), E\(satellite)"
                    if number == 0, let types, isSigned(types.old, bit) {
                        if verdict == .authenticated {
                            note(
                                "\(name): bit \(bit) of word \(types.old) authenticated",
                                authenticated)
                        } else {
                            refused.add(1, ordering: .relaxed)
                        }
                    }
                    // Data that have not been changed never fail.
                    let isOrbit = types.map { 1...5 ~= $0.old || 1...5 ~= $0.new } ?? false
                    if verdict == .failed, !isOrbit {
                        note("\(name): failed after bit \(bit) of page \(page)", failures)
                    }
                }
            }
        }
    }

    /// Whether a bit belongs to the orbit's data, and the page keeps their issue.
    private static func isSigned(_ type: Int, _ bit: Int) -> Bool {
        switch type {
        case 1, 2, 4: 16..<126 ~= bit
        case 3: 16..<128 ~= bit
        case 5: 6..<73 ~= bit
        default: false
        }
    }

    /// Flips each bit of a page's field for authentication. A wrong tag makes the satellite fail that it
    /// is about, but a wrong header, block or key does not, and nothing more is authenticated.
    private static func flipField(of page: TimedPage, in subframes: [Subframe], _ index: Int) {
        guard page.page.osnma != 0, let place = subframes[index].pages.firstIndex(of: page) else {
            return
        }
        let number = (page.start - page.start.subframe) / 2
        for bit in 0..<40 {
            var pages = subframes[index].pages
            pages[place] = TimedPage(
                svid: page.svid, start: page.start,
                page: INAVPage(
                    word: page.page.word, osnma: page.page.osnma ^ 1 << UInt64(39 - bit)))
            flips.add(1, ordering: .relaxed)
            // Tags and their codes are the first 336 bits of the section.
            let isTag = bit >= 8 && number * 32 + bit - 8 < 336
            // The header's status is part of the tags.
            let isStatus = number == 0 && bit < 2
            run(pages, subframes, index, count: fieldSubframes) { next, verdicts in
                let clean = subframes[index + next].verdicts
                for (satellite, verdict) in verdicts {
                    let name = "\(page.start) E\(page.svid) bit \(bit) + \(next), E\(satellite)"
                    if verdict == .authenticated, clean[satellite] != .authenticated {
                        note("\(name): authenticated by a wrong field", authenticated)
                    }
                    if verdict == .failed, !isTag, !isStatus {
                        note("\(name): failed without a wrong tag", failures)
                    }
                }
            }
        }
    }
}
