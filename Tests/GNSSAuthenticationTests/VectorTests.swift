// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GNSSAuthentication
import GNSSNavigation
import GPSFiles
import GPSTestTraits
import Synchronization
import Testing
import UBX

/// Recordings and test vectors of Galileo's signatures with known answers, which are not part of this
/// package.
enum SignedRecordings {
    static let folder: URL = {
        let named = ProcessInfo.processInfo.environment["GPSBRIDGE_OSNMA_CORPUS"]
        return named.map { URL(filePath: $0) }
            ?? URL(filePath: PackageFile.folder + "/../shared/corpus/osnma").standardizedFileURL
    }()

    static let receiver = "f9t-static-79min"

    /// The rows of a table of answers, by their columns.
    static func answers(_ name: String) -> [[String: String]] {
        let url = folder.appending(path: "answers/\(name).tsv")
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
        let lines = text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        guard let columns = lines.first else { return [] }
        return lines.dropFirst().map { cells in
            Dictionary(zip(columns, cells)) { first, _ in first }
        }
    }

    static let names = answers("summary").compactMap { $0["name"] }

    static func content(_ url: URL) throws -> [UInt8] {
        try CompressedInput.decompressed([UInt8](try Data(contentsOf: url)))
    }

    private static func folder(of name: String) -> URL {
        folder.appending(path: name == receiver ? "f9t" : "vectors/\(name)")
    }

    /// The trees and keys that a recording begins with. Those of two in a row are of the first one.
    static func ring(of name: String) throws -> KeyRing {
        let first = String(name.prefix { $0 != "+" })
        guard first == receiver else {
            return GalileoKeyFolder(folder(of: first).path, Libcrypto()).load()
        }
        var ring = KeyRing()
        let url = folder(of: receiver).appending(path: "OSNMA_MerkleTree.xml")
        let file = try GalileoKeyFile(content(url), name: "tree", Libcrypto())
        guard case .tree(let tree) = file.content else { return ring }
        ring.add(tree.root)
        for key in tree.keys { ring.add(key) }
        return ring
    }

    /// The pages of recordings that were read, by their names. Several tests read each.
    private static let pages = Mutex<[Substring: [TimedPage]]>([:])

    static func pages(of name: String) throws -> [TimedPage] {
        try name.split(separator: "+").flatMap { part in
            if let known = pages.withLock({ $0[part] }) { return known }
            let read = try part == receiver ? receiverPages() : vectorPages(String(part))
            pages.withLock { $0[part] = read }
            return read
        }
    }

    private static func vectorPages(_ name: String) throws -> [TimedPage] {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder(of: name), includingPropertiesForKeys: nil)
        let file = try #require(files.first { $0.lastPathComponent.hasSuffix(".csv.zst") })
        let table = PageTable(name: file.lastPathComponent, content: try content(file))
        var pages: [TimedPage] = []
        try #require(table).forEachPage { pages.append($0) }
        return pages
    }

    private static func receiverPages() throws -> [TimedPage] {
        let bytes = try content(folder.appending(path: "../ubx/\(receiver).ubx.zst"))
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
        return pages
    }
}

/// What an authenticator reports about pages.
struct Authentication {
    private(set) var events: [String] = []
    private(set) var reports: [AuthenticationReport] = []
    let counts: AuthenticationCounts
    let ring: KeyRing

    init(
        _ pages: [TimedPage], _ ring: KeyRing, _ synchronisation: Synchronisation = .allTags
    ) {
        var authenticator = Authenticator(ring, Libcrypto())
        var (events, pending, reports): ([String], [String], [AuthenticationReport]) = ([], [], [])
        func note(_ event: AuthenticationEvent) {
            if case .subframe(let report) = event {
                events += pending.map {
                    "\(report.start.weekNumber) \(report.start.timeOfWeek) \($0)"
                }
                pending = []
                reports.append(report)
            } else if let answer = event.answer {
                pending.append(answer)
            }
        }
        for page in pages { authenticator.push(page, synchronisation, note) }
        authenticator.finish(note)
        (self.events, self.reports) = (events, reports)
        (counts, self.ring) = (authenticator.counts, authenticator.ring)
    }

    /// The verdicts of each sub-frame, as the answers have them: `E03U E07A`.
    var verdicts: [(start: GalileoTime, text: String)] {
        reports.map { report in
            let parts = report.verdicts.map { satellite, verdict in
                "E" + String(Int(satellite), width: 2) + String(verdict.letter)
            }
            return (report.start, parts.joined(separator: " "))
        }
    }

    func count(of letter: Character) -> Int {
        reports.reduce(0) { $0 + $1.verdicts.count { $0.verdict.letter == letter } }
    }

    /// The counts by the names of the answers.
    var numbers: [String: String] {
        let first = reports.first { $0.verdicts.contains { $0.verdict == .authenticated } }
        let numbers: [String: Int?] = [
            "week": reports.first?.start.weekNumber,
            "first_subframe_tow": reports.first?.start.timeOfWeek, "subframes": counts.subframes,
            "kroot_ok": counts.roots, "kroot_bad": counts.badRoots, "pkr_ok": counts.publicKeys,
            "keys_ok": counts.keys, "keys_bad": counts.badKeys,
            "distinct_keys": counts.distinctKeys, "macseq_ok": counts.sequences,
            "macseq_bad": counts.badSequences, "ok_0": counts.tags.orbit,
            "ok_4": counts.tags.timing, "ok_12": counts.tags.slowOrbit,
            "dummy_ok": counts.dummies, "bad": counts.bad, "bad_0": counts.badTags.orbit,
            "bad_4": counts.badTags.timing, "bad_12": counts.badTags.slowOrbit,
            "old_ok_0": counts.olderTags.orbit, "old_ok_12": counts.olderTags.slowOrbit,
            "maclt_bad": counts.misfits, "not_checkable": counts.uncheckedTags,
            "not_synchronised_0": counts.unsynchronisedTags.orbit,
            "not_synchronised_4": counts.unsynchronisedTags.timing,
            "not_synchronised_12": counts.unsynchronisedTags.slowOrbit,
            "first_authenticated_subframe": first?.start.timeOfWeek, "A": count(of: "A"),
            "F": count(of: "F"), "U": count(of: "U"),
        ]
        return numbers.compactMapValues { number in number.map { String($0) } }
    }

    /// Expects the counts in a row of answers.
    func expect(_ answer: [String: String], sourceLocation: SourceLocation = #_sourceLocation) {
        let differing = numbers.filter { name, number in answer[name].map { $0 != number } ?? false
        }
        #expect(
            differing.isEmpty, "\(differing), expected \(answer)", sourceLocation: sourceLocation)
    }
}

extension AuthenticationEvent {
    /// The event as the answers have it; `nil` for those that they leave out.
    fileprivate var answer: String? {
        switch self {
        case .root(let root):
            let header = root.header
            return "kroot ok nmas \(header.status) cid \(header.chain) cpks \(header.keyStatus) "
                + "pkid \(root.publicKey) cidkr \(root.chain) gst0 \(root.start) "
                + "maclt \(root.tagOrder) hf \(root.hash.rawValue) mf \(root.function.rawValue) "
                + "lk \(root.keySize) lt \(root.tagSize) bytes \(root.size)"
        case .publicKey(let sent, let isNewTree):
            var (type, id): (UInt8, UInt8) = (4, 0)
            if case .key(let key) = sent.content { (type, id) = (key.curve.rawValue, key.id) }
            return
                "pkr ok type \(type) id \(id) mid \(sent.place) \(isNewTree ? "new tree" : "tree") "
                + "pad True dsmid \(sent.message) bytes \(sent.size)"
        case .chainInUse(let chain): return "chain \(chain) in use"
        case .chainStored(let chain): return "next chain \(chain) stored"
        case .chainDropped(let chain): return "chain \(chain) dropped"
        case .publicKeyDropped(let key): return "public key \(key) dropped"
        case .publicKeyReplaced(let key, let newer): return "public key \(key) replaced by \(newer)"
        case .alert: return "ALERT: alert message"
        case .badRoot, .subframe: return nil
        }
    }
}

@Suite(
    .timeLimit(.generous),
    .enabled(if: !SignedRecordings.names.isEmpty, "recordings with known answers are not here"))
struct VectorTests {
    @Test(arguments: SignedRecordings.names)
    func `counts, times and events of a recording equal the known answers`(_ name: String) throws {
        let found = Authentication(
            try SignedRecordings.pages(of: name), try SignedRecordings.ring(of: name))
        found.expect(try #require(SignedRecordings.answers("summary").first { $0["name"] == name }))
        let events = SignedRecordings.answers("events").filter { $0["name"] == name }.map {
            "\($0["week"] ?? "") \($0["tow"] ?? "") \($0["event"] ?? "")"
        }
        #expect(found.events == events)
    }

    @Test func `each satellite's verdict in each sub-frame equals the known answer`() throws {
        let name = SignedRecordings.receiver
        let found = Authentication(
            try SignedRecordings.pages(of: name), try SignedRecordings.ring(of: name))
        let answers = SignedRecordings.answers("\(name).verdicts")
        #expect(answers.count == found.verdicts.count)
        for (verdict, answer) in zip(found.verdicts, answers) {
            #expect(verdict.text == answer["verdicts"], "\(verdict.start)")
            #expect(String(verdict.start.timeOfWeek) == answer["subframe_tow"])
        }
    }

    @Test func `a key that was revoked, and a tree of which Galileo has warned, do not come back`()
        throws
    {
        let revoked = Authentication(
            try SignedRecordings.pages(of: "pkrev_step1"),
            try SignedRecordings.ring(of: "pkrev_step1"))
        #expect(revoked.ring.keys.map(\.id) == [9])
        var ring = revoked.ring
        for key in try SignedRecordings.ring(of: "pkrev_step1").keys {
            let isAdded = ring.add(key)
            #expect(!isAdded, "\(key.id)")
        }
        let alert = Authentication(
            try SignedRecordings.pages(of: "oam_step1"), try SignedRecordings.ring(of: "oam_step1"))
        ring = alert.ring
        #expect(ring.isAlert && ring.isEmpty)
        for root in try SignedRecordings.ring(of: "oam_step1").roots {
            let isAdded = ring.add(root)
            #expect(!isAdded)
        }
        for root in try SignedRecordings.ring(of: "nmt_step2").roots.prefix(1) {
            let isAdded = ring.add(root)
            #expect(isAdded)
        }
        #expect(!ring.isAlert)
    }

    @Test func `only whole files of trees and keys that belong together are installed`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = GalileoKeyFolder(path, Libcrypto())
        func bytes(_ name: String) throws -> [UInt8] {
            try SignedRecordings.content(SignedRecordings.folder.appending(path: name))
        }
        func isRefused(_ bytes: [UInt8]) -> Bool { (try? folder.install(bytes, name: "a")) == nil }
        let tree = try bytes("vectors/pkrev_step1/OSNMA_MerkleTree.xml")
        #expect(isRefused(Array(tree.dropLast(200))))
        #expect(isRefused(Array("<gpx/>".utf8)) && isRefused([]))
        let text = String(decoding: tree, as: UTF8.self)
        for (part, other) in [
            ("<x_ji>A", "<x_ji>B"), ("<PKID>8<", "<PKID>9<"), ("<i>7</i>", "<i>6</i>"),
        ] {
            let changed = text.replacing(part, with: other)
            #expect(changed == text || isRefused(Array(changed.utf8)), "\(other)")
        }
        _ = try folder.install(tree, name: "a")
        #expect(folder.load().keys.map(\.id) == [8])
        // Another tree's key has no place in this one.
        let other = try bytes("vectors/oam_step1/OSNMA_PublicKey_1.xml")
        #expect(isRefused(other))
        let key = String(
            decoding: try bytes("vectors/pkrev_step1/OSNMA_PublicKey_PKID_8.xml"), as: UTF8.self
        ).replacing(/<State>\w+<\/State>/, with: "<State>Applicable</State>")
        _ = try folder.install(Array(key.utf8), name: "a")
        // A revoked key does not come back.
        let revoked = key.replacing(/<State>\w+<\/State>/, with: "<State>Revoked</State>")
        _ = try folder.install(Array(revoked.utf8), name: "a")
        #expect(folder.load().keys.isEmpty)
        #expect(isRefused(Array(key.utf8)))
    }

    @Test func `what satellites have said about keys is kept in the folder`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = GalileoKeyFolder(path, Libcrypto())
        let file = SignedRecordings.folder.appending(
            path: "vectors/pkrev_step1/OSNMA_MerkleTree.xml")
        _ = try folder.install(SignedRecordings.content(file), name: "a")
        let found = Authentication(
            try SignedRecordings.pages(of: "pkrev_step1"), folder.load())
        #expect(found.ring.keys.map(\.id) == [9])
        try folder.store(found.ring)
        #expect(folder.load() == found.ring)
        var alert = found.ring
        alert.alert(alert.roots)
        try folder.store(alert)
        #expect(folder.load().isAlert && folder.load().isEmpty)
    }
}
