// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSReceivers
import UBX

/// Interprets the UBX commands of a simulated u-blox chip and stores its configuration.
struct UBXControl: ReceiverControl {
    /// The size of the chip's input buffer in bytes.
    static let inputBuffer = 4096

    private let personality: Personality
    private let chip: UBXChip
    private var configurator: UBXConfigurator
    private(set) var assistance: Assistance
    private var input = UBXInput()
    private var traffic = MonCOMMS.Port()
    private(set) var settings: ReceiverSettings

    /// Creates a chip whose stored settings produce the rate, protocols and baud rate of
    /// `configuration`.
    init(_ chip: UBXChip, _ configuration: SimulatedReceiver.Configuration, identity: [UInt8]) {
        personality = configuration.personality
        self.chip = chip
        let port: UBXPort = configuration.baudRate == nil ? .usb : .uart1
        var store = ConfigurationStore(
            defaults: ConfigurationDefaults.values(of: chip, personality),
            hasFlash: chip.hasFlash)
        let saved = Self.items(of: configuration, chip, port).filter { store[$0.key] != $0.value }
        store.set(saved, in: .ram.union(chip.hasFlash ? .flash : .battery))
        configurator = UBXConfigurator(chip, port: port, store: store)
        assistance = Assistance(
            identity: identity, firmware: chip.version.software, configuration.acquisition)
        settings = ReceiverSettings(store, chip, port: port, personality)
    }

    mutating func restart(keepsBattery: Bool) {
        configurator.restart(keepsBattery: keepsBattery)
        assistance.restart(keepsBattery ? .hot : .cold)
        updateSettings()
    }

    /// Returns the configuration items for the rate, protocols and baud rate of `configuration`.
    private static func items(
        of configuration: SimulatedReceiver.Configuration, _ chip: UBXChip, _ port: UBXPort
    ) -> [ConfigurationItem] {
        let milliseconds = (1000 / configuration.effectiveRate).rounded()
        var items = [
            ConfigurationItem(.measurementPeriod, UInt64(min(65_535, max(1, milliseconds))))
        ]
        if let rate = configuration.baudRate, let line = LineKeys(port) {
            items.append(ConfigurationItem(line.baudRate, UInt64(rate.rawValue)))
        }
        let protocols = configuration.protocols
        for sentence in configuration.personality.cycle {
            guard let keys = sentence.ubxID.flatMap(MessageKeys.keys) else { continue }
            items.append(ConfigurationItem(keys.key(on: port), protocols.sendsNMEA))
        }
        let signed = configuration.testKey == nil ? [] : [NavTIMEGAL.id, RxmSFRBX.id]
        for message in chip.navigation + chip.monitoring + signed where protocols.sendsUBX {
            guard let keys = MessageKeys.keys(of: message) else { continue }
            items.append(ConfigurationItem(keys.key(on: port), true))
        }
        return items
    }

    private mutating func updateSettings() {
        settings = ReceiverSettings(
            configurator.store, chip, port: configurator.port, personality)
    }

    // MARK: Commands

    mutating func receive(_ bytes: [UInt8], _ moment: ReceiverSnapshot) -> [ReceiverReaction] {
        traffic.bytesIn &+= UInt32(truncatingIfNeeded: bytes.count)
        // Bytes that don't fit into the chip's input buffer are lost, as in a real chip.
        let requests = input.requests(in: Array(bytes.prefix(Self.inputBuffer)))
        return requests.flatMap { settings.acceptsUBX ? receive($0, moment) : [] }
    }

    private mutating func receive(
        _ request: UBXInput.Request, _ moment: ReceiverSnapshot
    ) -> [ReceiverReaction] {
        switch request.id.messageClass {
        case 0x06: return configure(request)
        case 0x13 where chip.identityVersion != nil: return assist(request, moment)
        default: break
        }
        guard request.isPoll else { return [] }
        let answer =
            switch request.id {
            case MonGNSS.id where chip.knows(NavEOE.id): MonGNSS(chip, configurator.store).frame
            case MonCOMMS.id where chip.knows(MonCOMMS.id): ports.frame
            default: moment.poll(request.id)
            }
        return answer.isEmpty ? [] : [.answer(answer, after: 0)]
    }

    /// The answer to a poll of `MON-COMMS`: the number of bytes that the connected port has
    /// received. Sent bytes are not counted.
    private var ports: MonCOMMS {
        var port = traffic
        port.number = UInt16(configurator.port.rawValue) << 8
        var message = MonCOMMS()
        message.ports = [port]
        return message
    }

    private mutating func configure(_ request: UBXInput.Request) -> [ReceiverReaction] {
        switch chip.dialect {
        case .ignores: return []
        case .refuses: return [.answer(Self.acknowledgement(request.id, false), after: 0)]
        default: break
        }
        let before = settings
        let result = configurator.receive(request.id, request.payload)
        updateSettings()
        switch result {
        case .refused: return [.answer(Self.acknowledgement(request.id, false), after: 0)]
        case .restart(let message): return restart(message)
        case .accepted(let frames):
            let answer = frames.flatMap { $0 } + Self.acknowledgement(request.id, true)
            // A real chip answers at its new baud rate after a pause, so that a program can change
            // its own rate.
            let pause = settings.baudRate == before.baudRate ? 0 : Self.rateChange
            let reactions = [ReceiverReaction.answer(answer, after: pause)]
            let isSameSky =
                settings.constellations == before.constellations
                && settings.signals == before.signals
            let reloads =
                request.id == CfgCFG.id && request.payload.dropFirst(8).contains { $0 != 0 }
            return isSameSky && !reloads ? reactions : reactions + restartOfGNSS()
        }
    }

    /// The time from a change of the baud rate to the acknowledgement, in seconds.
    private static let rateChange = 0.03

    private static func acknowledgement(_ id: UBXMessageID, _ isAccepted: Bool) -> [UInt8] {
        UBXFrame.bytes(
            isAccepted ? AckACK.id : AckNAK.id, payload: [id.messageClass, id.number])
    }

    // MARK: Restarts

    /// Returns the reactions to a change of constellations: a hot restart of the GNSS engine, with
    /// texts before and after it.
    private func restartOfGNSS() -> [ReceiverReaction] {
        [
            .answer(notice("Stopping GNSS"), after: 0),
            .restart(ReceiverRestart(startKind: .hot, hasExtraEpoch: chip.hasDatabase)),
            .answer(notice("Starting GNSS"), after: 0.024),
        ]
    }

    private mutating func restart(_ message: CfgRST) -> [ReceiverReaction] {
        switch message.mode {
        case .stop: return [.run(false)]
        case .start: return [.run(true)]
        default: break
        }
        let startKind: ReceiverRestart.StartKind =
            message.clearedData == 0 ? .hot : message.clearedData == 0xFFFF ? .cold : .warm
        assistance.restart(startKind)
        let includesPort = message.mode != .gnssOnly
        if includesPort {
            configurator.restart(keepsBattery: true)
            updateSettings()
        }
        return [
            .restart(
                ReceiverRestart(
                    startKind: startKind, includesPort: includesPort, isAnnounced: includesPort))
        ]
    }

    /// Returns a message with a text: a TXT sentence or, if no sentences are enabled, a UBX
    /// message.
    private func notice(_ text: String) -> [UInt8] {
        if settings.sentences.isEmpty { return UBXNotice(level: .notice, text: text).frame }
        let talker = settings.applied(to: personality).isCombined ? "GN" : "GP"
        return TextLine.sentence("\(talker)TXT,01,01,02,\(text)")
    }

    // MARK: Assistance

    /// The minimum time between the sending of two entries of the navigation database, in seconds.
    /// A slow line takes longer.
    private static let entryTime = 0.005

    private mutating func assist(
        _ request: UBXInput.Request, _ moment: ReceiverSnapshot
    ) -> [ReceiverReaction] {
        let acknowledges = configurator.store[.acknowledgesAiding] == 1
        if request.id == MgaDBD.id, request.isPoll {
            let entries = assistance.entries(moment)
            var frames = entries.map(\.frame)
            if acknowledges { frames.append(assistance.end(of: entries.count).frame) }
            return frames.enumerated().map { .answer($1, after: Double($0) * Self.entryTime) }
        }
        let answer = assistance.receive(
            request.id, request.payload, moment, Set(settings.constellations))
        var reactions: [ReceiverReaction] = []
        if acknowledges { reactions.append(.answer(answer.frame, after: 0)) }
        if let acquisition = assistance.changedAcquisition() {
            reactions.append(.assistance(acquisition))
        }
        return reactions
    }
}

/// Finds UBX frames in the bytes that a program sends to a receiver.
private struct UBXInput: Sendable {
    /// A UBX frame from a program.
    struct Request: Hashable {
        var id: UBXMessageID
        var payload: [UInt8]
        /// Whether the frame is a poll of its message: the payload is empty.
        var isPoll: Bool { payload.isEmpty }
    }

    private var unread: [UInt8] = []

    /// Adds bytes, and returns the frames that are complete. An incomplete frame is kept until the
    /// next call. Other bytes are skipped.
    mutating func requests(in bytes: [UInt8]) -> [Request] {
        unread += bytes
        var requests: [Request] = []
        var position = 0
        scan: while position < unread.count {
            switch UBXFrame.recognise(unread.span, at: position) {
            case .frame(let count):
                requests.append(
                    Request(
                        id: UBXMessageID(unread[position + 2], unread[position + 3]),
                        payload: Array(unread[(position + 6)..<(position + count - 2)])))
                position += count
            case .incomplete: break scan
            case .none: position += 1
            }
        }
        unread.removeFirst(position)
        return requests
    }
}

/// Simulates how a u-blox chip uses stored data and `MGA` messages (time, position, orbits) to
/// shorten the time to the first fix.
struct Assistance: Sendable {
    /// The number of entries in a chip's navigation database.
    private static let entryCount = 100
    /// The age in seconds up to which the ephemerides of an entry can be used.
    private static let lifetime: Int64 = 4 * 3600
    /// The age in seconds up to which the almanac of an entry can be used.
    private static let longestLifetime: Int64 = 7 * 86_400
    /// The time to the first fix with complete assistance, in seconds.
    private static let aidedFixTime = 1.5
    /// The time by which a wrong time or position delays the first fix of a cold start, in seconds.
    private static let penalty = 120.0

    private let owner: UInt64
    private let configured: Acquisition
    private(set) var counts = AssistanceCounts()
    private var knowsTime = true
    private var entries: Set<Int> = []
    /// How useful the ephemeris of each satellite is, 0 to 1.
    private var ephemerides: [SatelliteID: Double] = [:]
    private var current: Acquisition
    private var isChanged = false

    init(identity: [UInt8], firmware: String, _ acquisition: Acquisition) {
        // FNV-1a hash.
        owner = (identity + Array(firmware.utf8)).reduce(0xCBF2_9CE4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        configured = acquisition
        current = acquisition
        knowsTime = acquisition.time == 0
    }

    /// Returns the times to the first fix after a hot, warm or cold restart. `configured` are the
    /// times that were configured for the simulation.
    static func acquisition(
        after startKind: ReceiverRestart.StartKind, _ configured: Acquisition
    ) -> Acquisition {
        switch startKind {
        case .hot: configured == .instant ? .instant : .hot
        case .warm: .warm
        case .cold: Acquisition(time: 8, twoD: 25, threeD: 28)
        }
    }

    /// Discards the received database entries, and sets the times to the first fix for a hot, warm
    /// or cold restart.
    mutating func restart(_ startKind: ReceiverRestart.StartKind) {
        current = Self.acquisition(after: startKind, configured)
        knowsTime = startKind != .cold
        (entries, ephemerides) = ([], [:])
    }

    /// Returns the times to the first fix if a message has changed them since the last call;
    /// otherwise `nil`.
    mutating func changedAcquisition() -> Acquisition? {
        exchange(&isChanged, with: false) ? current : nil
    }

    // MARK: Messages

    /// Returns the entries of the navigation database; none without a fix.
    func entries(_ moment: ReceiverSnapshot) -> [MgaDBD] {
        guard moment.observation?.solution != nil else { return [] }
        return (0..<Self.entryCount).map { Entry(owner, moment.time.seconds, $0).message }
    }

    /// Returns the `MGA-ACK` that follows the last of `count` entries.
    func end(of count: Int) -> MgaACK {
        var message = MgaACK()
        message.isAccepted = 1
        message.number = MgaDBD.id.number
        message.payloadStart = UInt32(clamping: count)
        return message
    }

    /// Handles an `MGA` message and returns its acknowledgement.
    mutating func receive(
        _ id: UBXMessageID, _ payload: [UInt8], _ moment: ReceiverSnapshot,
        _ constellations: Set<Constellation>
    ) -> MgaACK {
        let reason: UInt8?
        switch id {
        case _ where ReceivedEphemeris.layouts[id.number] != nil:
            reason = receiveEphemeris(id, payload, moment, constellations)
        case MgaDBD.id: reason = receiveEntry(payload, moment)
        case MgaINI.id:
            if let time = MgaINITimeUTC(payload: payload.span) {
                reason = receive(time, moment)
            } else if let position = MgaINIPositionLLH(payload: payload.span) {
                reason = receive(position, moment)
            } else {
                reason = 6
            }
        default: reason = 6
        }
        var answer = MgaACK()
        answer.isAccepted = reason == nil ? 1 : 0
        answer.reason = reason ?? 0
        answer.number = id.number
        for (index, byte) in payload.prefix(4).enumerated() {
            answer.payloadStart |= UInt32(byte) << UInt32(index * 8)
        }
        if reason == nil { counts.accepted += 1 }
        return answer
    }

    private mutating func receive(_ message: MgaINITimeUTC, _ moment: ReceiverSnapshot) -> UInt8? {
        guard
            let date = CalendarDate(
                year: Int(message.year), month: Int(message.month), day: Int(message.day)),
            let time = TimeOfDay(
                hour: Int(message.hour), minute: Int(message.minute), second: Int(message.second))
        else { return 4 }
        let error = abs(UTCTime(date: date, time: time).seconds - moment.time.seconds)
        knowsTime = true
        // Tolerate an error of 2 s, which includes the transmission to the chip.
        guard Double(error) <= max(2, 3 * Double(message.accuracySeconds)) else {
            return delay()
        }
        shorten(current.threeD, time: 0)
        return nil
    }

    private mutating func receive(
        _ message: MgaINIPositionLLH, _ moment: ReceiverSnapshot
    ) -> UInt8? {
        guard let truth = moment.observation?.truth.state.coordinate else { return nil }
        let error = truth.distance(
            to: Coordinate(latitude: message.latitude, longitude: message.longitude))
        return error <= max(1000, 3 * message.accuracy) ? nil : delay()
    }

    private mutating func receiveEntry(_ payload: [UInt8], _ moment: ReceiverSnapshot) -> UInt8? {
        guard knowsTime else {
            counts.early += 1
            return 1
        }
        guard let entry = Entry(payload), entry.owner == owner else {
            counts.foreign += 1
            return 4
        }
        let age = moment.time.seconds - entry.time
        guard 0...Self.longestLifetime ~= age else {
            counts.stale += 1
            return nil
        }
        entries.insert(entry.number)
        // Each entry shortens the time to the first fix. With all entries, it is that of a hot
        // start or, if they are old, of a warm start.
        let missing = 1 - Double(entries.count) / Double(Self.entryCount)
        let cold = Self.acquisition(after: .cold, configured).threeD
        let best = age <= Self.lifetime ? Self.aidedFixTime : Acquisition.warm.threeD
        shorten(best + missing * (cold - best), time: current.time)
        return nil
    }

    /// The number of satellites with new ephemerides that give a fix at once.
    private static let enoughSatellites = 8.0

    private mutating func receiveEphemeris(
        _ id: UBXMessageID, _ payload: [UInt8], _ moment: ReceiverSnapshot,
        _ constellations: Set<Constellation>
    ) -> UInt8? {
        guard payload.count > 2, payload[1] == 0 else { return 2 }
        // The ionosphere and the difference to UTC do not change the time of the first fix.
        guard payload[0] == 1 else { return [4, 5, 6].contains(payload[0]) ? nil : 6 }
        guard let ephemeris = ReceivedEphemeris(id, payload) else { return 3 }
        guard knowsTime else {
            counts.early += 1
            return 1
        }
        guard constellations.contains(ephemeris.satellite.constellation) else {
            counts.foreign += 1
            return 4
        }
        let usefulness = ephemeris.isHealthy ? ephemeris.usefulness(at: moment.time) : 0
        if usefulness == 0 { counts.stale += 1 }
        ephemerides[ephemeris.satellite] = usefulness
        let known = min(1, ephemerides.values.reduce(0, +) / Self.enoughSatellites)
        let cold = Self.acquisition(after: .cold, configured).threeD
        shorten(Self.aidedFixTime + (1 - known) * (cold - Self.aidedFixTime), time: current.time)
        return nil
    }

    private mutating func shorten(_ threeD: Double, time: Double) {
        let best = min(current.threeD, threeD)
        current = Acquisition(
            time: min(current.time, time), twoD: min(current.twoD, best), threeD: best)
        isChanged = true
    }

    /// Lengthens the time to the first fix: with a wrong time or position, the receiver searches
    /// for the wrong satellites. Returns `nil` instead of a reason for rejecting the message,
    /// because it is accepted.
    private mutating func delay() -> UInt8? {
        counts.wrong += 1
        let cold = Self.acquisition(after: .cold, configured).threeD + Self.penalty
        current = Acquisition(time: cold, twoD: cold, threeD: cold)
        isChanged = true
        return nil
    }
}

extension Assistance {
    /// An entry of the navigation database of a simulated chip.
    private struct Entry: Hashable {
        /// A hash of the chip's identity and firmware. Other chips reject the entry.
        var owner: UInt64
        /// The time when the entry was created, in seconds since 1970.
        var time: Int64
        var number: Int

        init(_ owner: UInt64, _ time: Int64, _ number: Int) {
            (self.owner, self.time, self.number) = (owner, time, number)
        }

        /// Parses the payload of an `MGA-DBD`. Returns `nil` if a simulated chip did not create it.
        init?(_ payload: [UInt8]) {
            guard let data = MgaDBD(payload: payload.span)?.data, data.count == Self.size else {
                return nil
            }
            func number(at start: Int, _ count: Int) -> UInt64 {
                UInt64(littleEndianBytes: data[start..<start + count])
            }
            self.init(
                number(at: 0, 8), Int64(bitPattern: number(at: 8, 8)), Int(number(at: 16, 2)))
            guard (0..<Assistance.entryCount).contains(self.number), message.data == data else {
                return nil
            }
        }

        private static let size = 152

        /// The `MGA-DBD` of the entry: owner, time, number, and random bytes in place of orbits.
        var message: MgaDBD {
            var random = SeededGenerator(
                seed: owner ^ UInt64(bitPattern: time) &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
            var entry = MgaDBD()
            entry.data =
                owner.littleEndianBytes + time.littleEndianBytes
                + UInt16(truncatingIfNeeded: number).littleEndianBytes
            entry.data += random.bytes(Self.size - entry.data.count)
            return entry
        }
    }
}

/// The part of an assistance message with an ephemeris that a simulated chip reads.
private struct ReceivedEphemeris {
    /// The place of the reference time, its unit in seconds, and that of the health.
    typealias Layout = (
        constellation: Constellation, size: Int, toe: (offset: Int, width: Int, unit: Int64),
        health: Int
    )

    static let layouts: [UInt8: Layout] = [
        0x00: (.gps, 68, (40, 2, 16), 6), 0x02: (.galileo, 76, (50, 2, 60), 68),
        0x03: (.beiDou, 88, (24, 4, 8), 4), 0x05: (.qzss, 68, (40, 2, 16), 6),
        0x06: (.glonass, 48, (35, 1, 900), 5),
    ]

    let satellite: SatelliteID
    let isHealthy: Bool
    /// The reference time in seconds of the week; for GLONASS, of the day in UTC.
    private let toe: Int64

    /// Reads a message. Returns `nil` if it has another size.
    init?(_ id: UBXMessageID, _ payload: [UInt8]) {
        guard let layout = Self.layouts[id.number], payload.count == layout.size,
            let satellite = SatelliteID(layout.constellation, Int(payload[2]))
        else { return nil }
        self.satellite = satellite
        isHealthy = payload[layout.health] == 0
        let (offset, width, unit) = layout.toe
        let count = Int64(UInt64(littleEndianBytes: payload[offset..<offset + width]))
        // Moscow is three hours ahead.
        toe = count * unit - (layout.constellation == .glonass ? 10_800 : 0)
    }

    /// Returns how much the ephemeris helps, 0 to 1: fully for two hours, then less and less for two
    /// further ones. Those of GLONASS are for half an hour, and of no use after an hour.
    func usefulness(at time: UTCTime) -> Double {
        let isGLONASS = satellite.constellation == .glonass
        let period: Int64 = isGLONASS ? 86_400 : 604_800
        // 1 January 1970 was a Thursday.
        let now = time.seconds + (isGLONASS ? 0 : 4 * 86_400 + 18)
        let difference = ((now - toe) % period + period + period / 2) % period - period / 2
        let full = isGLONASS ? 1800.0 : 7200
        return min(1, max(0, 2 - Double(difference.magnitude) / full))
    }
}

extension UTCTime {
    /// The number of whole seconds since 1970.
    fileprivate var seconds: Int64 { unixNanoseconds / 1_000_000_000 }
}

/// Counts the assistance messages (`MGA`) that a simulated receiver has received, by result.
package struct AssistanceCounts: Hashable, Sendable {
    /// The number of messages acknowledged as accepted, including stale entries and wrong times and
    /// positions.
    package var accepted = 0
    /// The number of database entries rejected because another receiver or firmware created them.
    package var foreign = 0
    /// The number of database entries that were accepted but not used, because they are older than
    /// a week or from the future.
    package var stale = 0
    /// The number of entries rejected because the receiver did not know the time yet.
    package var early = 0
    /// The number of time and position messages whose error was too large: more than three times
    /// the stated accuracy, and more than 2 s or 1 km.
    package var wrong = 0
}
