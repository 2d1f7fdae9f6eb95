// SPDX-License-Identifier: MIT
import GNSS
import GPSCorrections
import GPSIO
import GPSReceivers
import RTCM
import SimulatedDevices

/// Sends corrections to a receiver, or shows what a caster offers.
struct CorrectionsCommand: Command {
    static let name = "corrections"
    static let summary = "Send corrections to a receiver, for centimetres; show a caster's streams."
    static let argumentSyntax = "CORRECTIONS [SOURCE]"

    static var details: String {
        """
        CORRECTIONS is ntrip[s]://[USER@]HOST[:PORT]/MOUNT, the address of a stream at an NTRIP caster, or another \
        source of RTCM 3: the tty of a base, tcp://HOST:PORT, a recording or -. SOURCE is the receiver that gets them; \
        left out: the first receiver that is plugged in. --corrections names other sources of corrections, which are \
        used while CORRECTIONS sends none.

        \(CorrectionArguments.help)

        With --list, the caster's streams are shown, one a line: mount point, distance, format, constellations, whether \
        the caster needs the receiver's position, a password or a fee, and place. The nearest streams to --near come first.

        With --test, no receiver is needed: the messages are counted for half a minute or --duration.

        Examples:
          gpsbridge corrections ntrip://caster.example --list --near 48.2,16.4
          gpsbridge corrections ntrip://me@caster.example/BASE /dev/ttyACM0
          gpsbridge corrections ntrip://caster.example/BASE --test --duration 30s
          gpsbridge serve /dev/ttyACM0 --corrections ntrip://me@caster.example/BASE
        """
    }

    static var manual: [ManualSection] { ManualSections.reading }

    static let options: [CommandOption<CorrectionsCommand>] =
        [
            .init("list", \.isList, "Show the streams of the caster"),
            .init("test", \.isTest, "Receive the corrections without a receiver"),
            .init("near", \.place, .coordinate, "Where the receiver is, for --list and --test"),
            .baudRate(\.baudRate),
            .duration(\.duration),
        ] + CorrectionArguments.options.stored(in: \.corrections)
        + ServiceArguments.options.stored(in: \.operation)

    static var service: (any WritableKeyPath<CorrectionsCommand, ServiceArguments> & Sendable)? {
        \CorrectionsCommand.operation
    }

    /// The time after which `--test` ends if `--duration` is missing, in seconds.
    private static let testDuration = 30.0

    /// The first source of corrections is `preferred`.
    private var corrections = CorrectionArguments()
    private var preferred: String?
    private var receiver: String?
    private var isList = false
    private var isTest = false
    private var place: Coordinate?
    private var baudRate: BaudRate?
    private var duration: Double?
    private var operation = ServiceArguments()

    mutating func addArgument(_ word: String) throws {
        if preferred == nil {
            preferred = word
        } else if receiver == nil {
            receiver = word
        } else {
            throw UsageError("unexpected argument '\(word)'")
        }
    }

    func check() throws {
        try checkSources()
        if let receiver = try receivers().first { try allCorrections.check([receiver]) }
    }

    func checkMachine(_ attempt: (() throws -> Void) -> Void) {
        guard let receiver = (try? receivers())?.first else { return }
        attempt { try ServiceArguments.checkMachine(for: receiver) }
        attempt { _ = try allCorrections.feeds() }
    }

    func run() async throws {
        let feeds = try allCorrections.feeds()
        if isList { return try await list(feeds[0]) }
        if isTest { return try await test(feeds) }
        if let duration { Signals.end(after: duration) }
        let receivers = try receivers()
        try allCorrections.check(receivers)
        let service = CorrectionService(feeds, log: Self.log)
        ServiceManager.shared?.ready()
        let sessions = receivers.serialLines.map { ReceiverPool.shared.session(for: $0) }
        if let refusal = try await service.run(for: sessions) {
            throw failure(of: feeds[0], refusal)
        }
    }

    private static let log = MessageLog { StandardError.report($0, level: $1) }

    /// The sources of corrections, the preferred one first.
    private var allCorrections: CorrectionArguments {
        var all = corrections
        all.sources = (preferred.map { [$0] } ?? []) + all.sources
        return all
    }

    private func checkSources() throws {
        guard preferred != nil else {
            throw UsageError("CORRECTIONS is missing, such as ntrip://caster.example/BASE")
        }
        let inputs = try allCorrections.inputs()
        if isList, inputs.count > 1 { throw UsageError("--list is for one caster") }
        for input in inputs {
            if isList {
                guard case .caster = input else {
                    throw UsageError("--list is for a caster, such as ntrip://caster.example")
                }
            } else if case .caster(let address, _) = input, address.mount.isEmpty {
                throw UsageError(
                    "\(address) has no mount point: `gpsbridge corrections \(address) --list` "
                        + "shows them")
            }
        }
    }

    private func receivers() throws -> [any DeviceSource] {
        guard !isList, !isTest else {
            guard let receiver else { return [] }
            throw UsageError("unexpected argument '\(receiver)'")
        }
        guard let receiver else { return [FirstReceiverSource(baudRate: baudRate)] }
        return [try SourceArgument.decompressedSource(receiver, baudRate: baudRate)]
    }

    // MARK: --list and --test

    private func list(_ feed: CorrectionFeed) async throws {
        let table: SourceTable
        do throws(CorrectionFailure) {
            table = try await feed.table()
        } catch {
            throw CommandFailure(error.description)
        }
        let mounts =
            place.map { table.nearest(to: $0) }
            ?? table.mounts.map { (mount: $0, distance: nil as Double?) }
        try StandardOutput().write(mounts.map { Self.line($0.mount, $0.distance) }.joined())
    }

    private static func line(_ mount: SourceTable.Mount, _ distance: Double?) -> String {
        let notes: [String] = [
            mount.isSupported ? nil : "not supported", mount.needsPosition ? "position" : nil,
            mount.needsUser ? "password" : nil, mount.hasFee ? "fee" : nil,
        ].compactMap { $0 }
        let parts: [String?] = [
            mount.name, distance.map { "\(String($0 / 1000, decimals: 1)) km" }, mount.format,
            mount.systems, mount.details, notes.joined(separator: ", "), mount.identifier,
            mount.country,
        ]
        return parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "  ") + "\n"
    }

    private func test(_ feeds: [CorrectionFeed]) async throws {
        if let place {
            var fix = Fix()
            (fix.coordinate, fix.quality) = (place, .autonomous)
            fix.timeOfDay = SystemClock.now?.time
            for feed in feeds { feed.setPosition(fix) }
        }
        let service = CorrectionService(feeds, log: Self.log)
        let end = Poller.shared.now + .seconds(duration ?? Self.testDuration)
        let refusal = try await withThrowingTaskGroup(of: CorrectionRefusal?.self) { group in
            group.addTask { try await service.run(for: []) }
            group.addTask {
                _ = await Poller.shared.sleep(until: end)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        if let refusal { throw failure(of: feeds[0], refusal) }
        try StandardOutput().write(feeds.map(Self.summary).joined())
        guard feeds.contains(where: { $0.counts.count > 0 }) else {
            throw CommandFailure("no corrections: \(feeds[0].condition.message)")
        }
    }

    private func failure(of feed: CorrectionFeed, _ refusal: CorrectionRefusal) -> CommandFailure {
        CommandFailure("\(feed.source.name): \(refusal.message)")
    }

    /// Lists the messages that have been received, by type and station.
    private static func summary(_ feed: CorrectionFeed) -> String {
        let counts = feed.counts
        guard counts.count > 0 else { return "" }
        let lines = counts.entries.map { kind, entry in
            let interval = entry.interval.map { ", each \(String($0, decimals: 1)) s" } ?? ""
            return "\(kind.text): \(entry.count) messages, \(entry.byteCount) bytes\(interval)\n"
        }
        var text = lines.sorted().joined()
        if let base = feed.reference?.geodetic {
            let (latitude, longitude) = (base.coordinate.latitude, base.coordinate.longitude)
            text +=
                "base at \(String(latitude, decimals: 6)),\(String(longitude, decimals: 6)), "
                + "\(String(base.height, decimals: 2)) m above the ellipsoid\n"
        }
        let rate = feed.bytesPerSecond.map { ", \(Int($0 * 8)) bits per second" } ?? ""
        return text
            + "\(feed.source.name): \(counts.count) messages, \(counts.byteCount) bytes\(rate)\n"
    }
}

extension CorrectionMessage.Kind {
    /// The type and the station: `RTCM 1077, station 2003`.
    fileprivate var text: String {
        guard case .rtcm(_, let station) = self else { return type }
        return "RTCM \(type)" + (station.map { ", station \($0)" } ?? "")
    }
}
