// SPDX-License-Identifier: MIT
import GNSS
import GNSSAuthentication
import GPSFiles
import GPSFormats
import GPSIO
import GPSReceivers
import NMEA
import UBX

/// Verifies the signatures of Galileo's navigation data in recordings, and installs its public keys.
struct AuthenticationCommand: Command {
    static let name = "authentication"
    static let summary =
        "Verify Galileo's signatures (OSNMA) in recordings; install its public keys."
    static let argumentSyntax = "[check FILE...]"

    static let details = """
        Galileo signs its navigation data. A right signature proves that orbits and clocks are Galileo's. It does not prove \
        the position: ranges are not signed, and signals that somebody relays or delays have right signatures.

        check verifies recordings of u-blox receivers (RXM-SFRBX with E1-B), and tables of pages as they are published \
        as test vectors; several files are read as one. It prints the counts in one line, then a line for each sub-frame of 30 s: \
        its time of week, and each satellite with A (authenticated), F (failed) or U (unknown). A recording has no clock that is \
        independent of the receiver, so A means that everything fits together, not that it was received when it was sent.

        --install takes a Merkle tree or a public key in XML, as the European GNSS Service Centre \
        (https://www.gsc-europa.eu) publishes them after registration. It shows what is in the file: compare it with what \
        the centre publishes. gpsbridge contains no keys. Without an argument, the installed keys are shown.

        Examples:
          gpsbridge authentication --install OSNMA_MerkleTree_20251210100000_newPKID_2.xml
          gpsbridge authentication check drive.ubx.zst
        """

    static var manual: [ManualSection] { ManualSections.authenticating }

    static let options: [CommandOption<AuthenticationCommand>] = [
        .init("install", \.newFile, .text("FILE"), "Install a Merkle tree or a public key").once(),
        .init(
            "keys", \.folder, .text("FOLDER"), "The folder with the keys (default: the installed)"
        )
        .once(),
        .init("events", \.showsEvents, "Show also the messages about chains and keys"),
    ]

    private var newFile: String?
    private var folder: String?
    private var showsEvents = false
    private var words: [String] = []

    mutating func addArgument(_ word: String) throws {
        guard word == "check" || !words.isEmpty else {
            throw UsageError("unexpected argument '\(word)': write `authentication check \(word)`")
        }
        words.append(word)
    }

    func check() throws {
        if newFile != nil, !words.isEmpty {
            throw UsageError("--install and check are two commands")
        }
        if words.count == 1 { throw UsageError("no recording to check was given: name one") }
    }

    func run() async throws {
        try check()
        if let missing = Libcrypto.missing {
            throw CommandFailure(
                "signatures cannot be verified, because \(missing) is missing: install libssl3")
        }
        if let newFile { return try install(newFile) }
        let keys = try keyFolder()
        guard !words.isEmpty else { return try show(keys) }
        var ring = keys.load { StandardError.print("ignored: \($0)", level: .warning) }
        // The stored chain is today's.
        ring.chain = nil
        guard !ring.isEmpty else {
            throw CommandFailure(
                "no public key of Galileo is in \(keys.path): install one with "
                    + "`gpsbridge authentication --install FILE`")
        }
        var recorded = RecordedAuthentication(ring, showsEvents: showsEvents)
        for path in words.dropFirst() { try recorded.read(Recording(path)) }
        try StandardOutput().write(recorded.finish())
        if recorded.pageCount == 0 {
            throw CommandFailure(
                "no page of Galileo with a time was found: record RXM-SFRBX with E1-B, and NAV-PVT "
                    + "or another message with the time")
        }
    }

    private func keyFolder() throws -> GalileoKeyFolder {
        if let folder { return GalileoKeyFolder(folder, Libcrypto()) }
        guard let installed = GalileoKeyFolder.default(Libcrypto()) else {
            throw CommandFailure("there is no home folder: give the folder with --keys FOLDER")
        }
        return installed
    }

    private func install(_ path: String) throws {
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.bytes(of: path)
        } catch {
            throw CommandFailure("cannot read \(path): \(error)")
        }
        let installation = try keyFolder().install(bytes, name: path)
        let file = installation.file
        var lines: [String]
        switch file.content {
        case .tree(let tree): lines = [Self.line(tree.root)] + tree.keys.map { Self.line($0) }
        case .key(let key, _): lines = [Self.line(key)]
        }
        let validity = [
            file.begin.isEmpty ? nil : "from \(file.begin)",
            file.end.isEmpty ? nil : "until \(file.end)",
            file.state.isEmpty ? nil : "state \(file.state)",
        ].compactMap(\.self)
        if !validity.isEmpty { lines.append("valid " + validity.joined(separator: ", ")) }
        lines.append("installed as \(installation.path)")
        try StandardOutput().write(lines.map { TerminalText.safe($0) + "\n" }.joined())
    }

    private func show(_ keys: GalileoKeyFolder) throws {
        let ring = keys.load { StandardError.print("ignored: \($0)", level: .warning) }
        var lines = ring.roots.map { Self.line($0) } + ring.keys.map { Self.line($0) }
        if ring.isAlert {
            lines.append("Galileo has warned of its keys: install the new Merkle tree")
        }
        guard !lines.isEmpty else {
            return StandardError.print(
                "no public key of Galileo is installed: `gpsbridge authentication --install FILE`")
        }
        try StandardOutput().write(lines.map { $0 + "\n" }.joined())
    }

    private static func line(_ root: MerkleRoot) -> String {
        "Merkle tree \(Hexadecimal.text(root.bytes, isUppercase: true))"
    }

    private static func line<State: Sendable>(_ key: Key<State>) -> String {
        "public key \(key.id) (\(key.curve == .p256 ? "P-256" : "P-521")) "
            + Hexadecimal.text(key.point, isUppercase: true)
            + (key.root.map {
                " in tree \(Hexadecimal.text($0.bytes.prefix(4), isUppercase: true))"
            } ?? "")
    }
}

/// Verifies recordings, and collects what is printed.
private struct RecordedAuthentication {
    private var authenticator: Authenticator
    private let showsEvents: Bool
    private var reader = GalileoPageReader()
    private(set) var pageCount = 0
    private var verdicts: [Character: Int] = [:]
    private var first: GalileoTime?
    private var firstAuthenticated: GalileoTime?
    private var lines = ""

    init(_ ring: KeyRing, showsEvents: Bool) {
        authenticator = Authenticator(ring, Libcrypto())
        self.showsEvents = showsEvents
    }

    /// Reads a recording of a receiver, or a table of pages.
    mutating func read(_ recording: Recording) throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var framer = Framer()
        var table: [UInt8]?
        var isFirst = true
        while let count = try recording.read(into: &buffer) {
            if isFirst, buffer.prefix(count).starts(with: PageTable.header.utf8) { table = [] }
            isFirst = false
            if table != nil {
                table?.append(contentsOf: buffer[..<count])
                guard table?.count ?? 0 < 1 << 28 else {
                    throw CommandFailure("\(recording.name) is too long for a table of pages")
                }
            } else {
                framer.push(buffer.span.extracting(0..<count)) { handle($0) }
            }
        }
        framer.finish { handle($0) }
        guard let table else { return }
        guard let pages = PageTable(name: recording.name, content: table) else {
            throw CommandFailure(
                "the name of \(recording.name) does not say when its first page was sent, as "
                    + "16_AUG_2023_GST_05_00_01.csv does")
        }
        pages.forEachPage { push($0) }
    }

    private mutating func handle(_ event: FramerEvent) {
        guard case .frame(.ubx, let bytes, _) = event,
            let page = reader.push(UBXFrame(recognised: bytes))
        else { return }
        push(page)
    }

    /// Verifies a page as if it had been received when it was sent.
    private mutating func push(_ page: TimedPage) {
        pageCount += 1
        var events: [AuthenticationEvent] = []
        authenticator.push(page, .allTags) { events.append($0) }
        for event in events { note(event) }
    }

    private mutating func note(_ event: AuthenticationEvent) {
        guard case .subframe(let report) = event else {
            if showsEvents { lines += "\(event)\n" }
            return
        }
        if first == nil { first = report.start }
        var line = "\(report.start.timeOfWeek)\t"
        for (index, (satellite, verdict)) in report.verdicts.enumerated() {
            verdicts[verdict.letter, default: 0] += 1
            if verdict == .authenticated, firstAuthenticated == nil {
                firstAuthenticated = report.start
            }
            line += (index == 0 ? "E" : " E") + String(Int(satellite), width: 2)
            line.append(verdict.letter)
        }
        lines += line + "\n"
    }

    /// Ends the last sub-frame. Returns the counts in a line, then the verdicts.
    mutating func finish() -> String {
        var events: [AuthenticationEvent] = []
        authenticator.finish { events.append($0) }
        for event in events { note(event) }
        let counts = authenticator.counts
        let numbers: [(String, Int?)] = [
            ("week", first?.weekNumber), ("first_subframe_tow", first?.timeOfWeek),
            ("subframes", counts.subframes), ("kroot_ok", counts.roots),
            ("pkr_ok", counts.publicKeys), ("keys_ok", counts.keys), ("keys_bad", counts.badKeys),
            ("distinct_keys", counts.distinctKeys), ("macseq_ok", counts.sequences),
            ("macseq_bad", counts.badSequences), ("ok_0", counts.tags.orbit),
            ("ok_4", counts.tags.timing), ("ok_12", counts.tags.slowOrbit),
            ("dummy_ok", counts.dummies), ("bad", counts.bad),
            ("not_checkable", counts.uncheckedTags),
            ("first_authenticated_subframe", firstAuthenticated?.timeOfWeek),
            ("A", verdicts["A"] ?? 0), ("F", verdicts["F"] ?? 0), ("U", verdicts["U"] ?? 0),
        ]
        return numbers.compactMap { name, number in number.map { "\(name)=\($0)" } }
            .joined(separator: " ") + "\n" + lines
    }
}
