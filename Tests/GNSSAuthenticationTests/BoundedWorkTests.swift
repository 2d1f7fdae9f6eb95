// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GNSSAuthentication
import GNSSNavigation
import GPSFiles
import GPSReceivers
import GPSTestTraits
import Synchronization
import Testing
import UBX

/// Counts what libcrypto is asked for.
private final class Counted: Cryptography {
    let digests = Atomic(0), signatures = Atomic(0)

    func digest(_ function: HashFunction, _ message: [UInt8]) -> [UInt8]? {
        digests.add(1, ordering: .relaxed)
        return Libcrypto().digest(function, message)
    }

    func code(_ function: TagFunction, key: [UInt8], _ message: [UInt8]) -> [UInt8]? {
        Libcrypto().code(function, key: key, message)
    }

    func verifies(_ signature: [UInt8], of message: [UInt8], _ curve: Curve, point: [UInt8]) -> Bool
    {
        signatures.add(1, ordering: .relaxed)
        return Libcrypto().verifies(signature, of: message, curve, point: point)
    }
}

@Suite(.timeLimit(.generous), .enabled(if: SignedSky.key != nil, "libcrypto is not here"))
struct BoundedWorkTests {
    private static let start = GalileoTime(week: 1400, timeOfWeek: 7200)

    /// The pages of all satellites in a sub-frame, each with a right root and key.
    private static func pages(
        _ signer: inout PageSigner, at time: GalileoTime, satellites: ClosedRange<UInt8> = 1...36
    ) -> [TimedPage] {
        satellites.flatMap { satellite in
            signer.fields(of: satellite, at: time, []) { _ in nil }.enumerated().map {
                page, field in
                TimedPage(
                    svid: satellite, start: time + 2 * page + 1,
                    page: INAVPage(word: INAVWord(high: 0, low: 0), osnma: field))
            }
        }
    }

    @Test func `the signatures of a sub-frame are few, also with many keys of one number`() throws {
        let key = try #require(SignedSky.key)
        var signer = PageSigner(key, from: Self.start, seed: 1)
        var ring = KeyRing()
        for number in 0..<6 {
            let root = try #require(MerkleRoot([UInt8](repeating: UInt8(number), count: 32)))
            let point = [2] + [UInt8](repeating: UInt8(number), count: 32)
            let other = try #require(Key<Unverified>(id: 1, curve: .p256, point: point))
            ring.add(other.installed(in: root))
        }
        let counted = Counted()
        var authenticator = Authenticator(ring, counted)
        for subframe in 0..<3 {
            for page in Self.pages(&signer, at: Self.start + 30 * subframe) {
                authenticator.push(page, .allTags) { _ in }
            }
            authenticator.finish { _ in }
        }
        let count = counted.signatures.load(ordering: .relaxed)
        #expect(6...24 ~= count, "\(count)")
    }

    @Test func `wrong keys of a later time cost a limited number of hashes`() throws {
        let key = try #require(SignedSky.key)
        var signer = PageSigner(key, from: Self.start, seed: 1)
        let counted = Counted()
        var authenticator = Authenticator(SignedSky.ring, counted)
        for page in Self.pages(&signer, at: Self.start) {
            authenticator.push(page, .allTags) { _ in }
        }
        authenticator.finish { _ in }
        #expect(authenticator.counts.roots > 0 && authenticator.counts.distinctKeys == 1)
        let before = counted.digests.load(ordering: .relaxed)
        // Each satellite sends another key.
        let later = Self.start + 8_000 * 30
        for page in Self.pages(&signer, at: later) {
            let wrong = INAVPage(
                word: page.page.word, osnma: page.page.osnma ^ UInt64(page.svid) << 8)
            authenticator.push(
                TimedPage(svid: page.svid, start: page.start, page: wrong), .allTags
            ) { _ in }
        }
        authenticator.finish { _ in }
        let count = counted.digests.load(ordering: .relaxed) - before
        #expect(8_000...10_500 ~= count, "\(count)")
        #expect(authenticator.counts.badKeys > 30)
    }

    @Test func `a receiver that invents times costs no more than ten sub-frames at once`() throws {
        let key = try #require(SignedSky.key)
        let date = try #require(UTCTime(iso8601: "2026-03-21T12:00:00Z"))
        func work(subframes: Int) -> (digests: Int, signatures: Int) {
            var signer = PageSigner(key, from: Self.start, seed: 1)
            let counted = Counted()
            let settings = AuthenticationSettings(
                load: { SignedSky.ring }, clockBound: { nil }, store: { _ in })
            var authentication = ReceiverAuthentication(settings, counted)
            for subframe in 0..<subframes {
                let pages = Self.pages(&signer, at: Self.start + 30 * subframe, satellites: 1...2)
                for page in pages.sorted(by: { $0.start < $1.start }) {
                    var time = NavTIMEGAL()
                    time.week = Int16(page.start.weekNumber)
                    time.timeOfWeek = UInt32(page.start.timeOfWeek + 2)
                    time.validity = 7
                    let frames = time.frame + page.page.message(of: page.svid).frame
                    SignedSky.forEachFrame(in: frames) {
                        authentication.receive($0, date: date, isRecording: false)
                    }
                }
            }
            return (
                counted.digests.load(ordering: .relaxed),
                counted.signatures.load(ordering: .relaxed)
            )
        }
        #expect(work(subframes: 40) == work(subframes: 11))
        #expect(work(subframes: 11).digests > work(subframes: 5).digests)
    }
}

@Suite(.timeLimit(.generous), .enabled(if: SignedSky.key != nil, "libcrypto is not here"))
struct StoredChainTests {
    /// A folder with the tree of the simulation's key.
    private static func withFolder(_ body: (GalileoKeyFolder, _ path: String) throws -> Void) throws
    {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = GalileoKeyFolder(path, Libcrypto())
        let tree = try #require(SignedSky.key?.tree(Libcrypto()))
        _ = try folder.install(Array(tree.utf8), name: "tree")
        try body(folder, path)
    }

    @Test func `with the stored chain, the first verdict needs no root`() throws {
        let satellites = Set(SignedSky.genuine.map(\.svid)).sorted().prefix(2)
        let pages = SignedSky.genuine.filter { satellites.contains($0.svid) }
        try Self.withFolder { folder, _ in
            let first = Authentication(pages, folder.load())
            #expect(first.counts.bad == 0 && first.ring.chain != nil)
            try folder.store(first.ring)
            let ring = folder.load { Issue.record("\($0)") }
            #expect(ring == first.ring)
            let second = Authentication(pages, ring)
            #expect(second.counts.bad == 0)
            // The first sub-frame has no beginning; then data, tags and key.
            let found = second.subframes(with: "A").first ?? .max
            #expect(2...3 ~= found, "\(found)")
            #expect(first.subframes(with: "A").first ?? .max > found)
        }
    }

    @Test func `a chain that is damaged, or whose key is revoked, is not used`() throws {
        try Self.withFolder { folder, path in
            let found = Authentication(SignedSky.genuine, folder.load())
            try folder.store(found.ring)
            let file = path + "/received"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("chain ") })
            let rest = text.replacing(line, with: "")
            let words = line.split(separator: " ").map(String.init)
            let changes = [
                "chain x \(words[2]) \(words[3])", "chain 30 \(words[2]) \(words[3])",
                "chain \(words[1]) \(words[2].dropLast(2)) \(words[3])",
                "chain \(words[1]) \(words[2].replacing("A", with: "B")) \(words[3])",
                "chain \(words[1]) \(words[2]) \(words[3].dropLast(2))"
                    + (words[3].hasSuffix("00") ? "01" : "00"),
                "chain \(words[1]) \(words[2])", "chain -5 00 00", "chain 9223372036854775807 A A",
            ]
            for change in changes {
                try (rest + change + "\n").write(toFile: file, atomically: true, encoding: .utf8)
                var messages = 0
                let ring = folder.load { _ in messages += 1 }
                #expect(ring.chain == nil && messages == 1, "\(change)")
                #expect(ring.keys.map(\.id) == [1])
            }
            var ring = found.ring
            ring.revoke(1, in: ring.roots.first)
            try folder.store(ring)
            #expect(folder.load().chain == nil)
            ring = found.ring
            ring.alert(ring.roots)
            try folder.store(ring)
            #expect(folder.load().chain == nil && folder.load().isAlert)
        }
    }
}
