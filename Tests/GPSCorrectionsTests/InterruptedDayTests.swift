// SPDX-License-Identifier: MIT
import GNSS
import GPSCorrections
import GPSTestSupport
import GPSTestTraits
import RTCM
import Testing

/// A stream at a caster, and its connection. All streams have the messages of one base.
private struct Stream {
    let address: NTRIPAddress
    let account: String
    /// `nil` while the source is not open.
    var client: NTRIPClient?
    var hasFlowed = false
    var isConnected = false
    /// Whether the caster sends the body in chunks.
    var isChunked = false
    var hasReplied = false
    /// What the caster does until `faultEnd`.
    var fault: Fault?
    var faultEnd = 0

    init(_ address: String, account: String) throws {
        (self.address, self.account) = (try NTRIPAddress(address), account)
    }

    /// The bytes of the body as the caster sends them.
    func body(_ bytes: [UInt8]) -> [UInt8] {
        guard isChunked else { return bytes }
        return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
    }
}

/// What interrupts a stream.
private enum Fault: CaseIterable {
    /// The connection ends in a message, and is accepted again at once.
    case reset
    /// Connections are refused.
    case down
    /// Requests get a reply that says to come back later, that the base is not connected, or that the
    /// password is wrong.
    case unavailable, notSent, unauthorized
    /// The connection stays open without a byte.
    case silence
    /// Bytes that are no messages, in which messages begin.
    case noise
    /// The receiver's line takes nothing.
    case line
}

/// A day of corrections for one receiver, from three sources, second by second.
private struct Day {
    private var random = SeededGenerator(seed: 66)
    private let start = MonotonicInstant.now
    private var second = 0
    private var streams: [Stream]
    private var preference: SourcePreference
    private var queue = CorrectionQueue(limit: 2 * 960)
    private var lineFault = 0
    private var line = CorrectionFramer()

    private(set) var interruptions = 0
    /// The most connections of one account at a time.
    private(set) var mostConnections = 0
    private(set) var connections = 0
    /// The messages that have reached the receiver.
    private(set) var received: [CorrectionMessage: Int] = [:]
    private(set) var dropped = 0
    /// The number of messages that were passed to the queue.
    private(set) var added = 0
    /// The sources whose messages were used.
    private(set) var used: Set<Int> = []

    init() throws {
        streams = [
            try Stream("ntrip://me@caster/NEAR", account: "me"),
            try Stream("ntrip://me@caster/FAR", account: "me"),
            try Stream("ntrip://other@caster/NEAR", account: "other"),
        ]
        preference = SourcePreference(accounts: streams.map(\.account), at: start)
    }

    /// The bytes in the receiver's line that belong to no message.
    var junkCount: Int { line.skippedCount + line.pendingCount }
    private var now: MonotonicInstant { start + .seconds(second) }

    mutating func run(interruptions: Int) {
        let pause = 85_000 / UInt64(interruptions)
        var next = 60
        while second < 86_400 {
            second += 1
            if second >= next, self.interruptions < interruptions {
                next += Int(pause / 2 + random.next() % pause)
                interrupt()
            }
            follow()
            for index in streams.indices { serve(index) }
            write()
        }
        while !queue.isEmpty { write() }
    }

    private mutating func interrupt() {
        interruptions += 1
        let fault = Fault.allCases[Int(random.next() % UInt64(Fault.allCases.count))]
        let length = Int(random.next() % 90)
        if fault == .line { return lineFault = second + length / 10 }
        let index = preference.selected ?? 0
        (streams[index].fault, streams[index].faultEnd) = (fault, second + length)
        guard [.reset, .down, .unavailable, .notSent, .unauthorized].contains(fault),
            streams[index].isConnected
        else { return }
        // The connection ends in a message.
        let half = Array(message(index).prefix(Int(random.next() % 60)))
        receive(.bytes(streams[index].body(half)), index)
        streams[index].isConnected = false
        receive(.closed("reset"), index)
    }

    /// Opens and closes the sources as the service does.
    private mutating func follow() {
        preference.update(at: now)
        for index in streams.indices
        where !preference.isOpen(index) && streams[index].client != nil {
            (streams[index].client, streams[index].isConnected) = (nil, false)
        }
        for index in streams.indices
        where preference.isOpen(index) && streams[index].client == nil {
            streams[index].client = NTRIPClient(
                streams[index].address, password: "secret", hasFlowed: streams[index].hasFlowed,
                seed: random.next(), at: now)
            execute(index)
        }
    }

    private mutating func receive(_ event: NTRIPClient.Event, _ index: Int) {
        let time = now
        streams[index].client?.receive(event, at: time)
        execute(index)
    }

    private mutating func execute(_ index: Int) {
        while let action = streams[index].client?.next() {
            switch action {
            case .open:
                let account = streams[index].account
                let count = streams.count { $0.isConnected && $0.account == account }
                mostConnections = max(mostConnections, count + 1)
                (streams[index].isConnected, streams[index].hasReplied) = (true, false)
                connections += 1
            case .close: streams[index].isConnected = false
            case .deliver(let message):
                streams[index].hasFlowed = true
                guard preference.selected ?? index == index else { continue }
                used.insert(index)
                added += 1
                queue.add(message)
            case .send, .table: break
            }
        }
        guard let client = streams[index].client else { return }
        if case .refused = client.condition {
            streams[index].client = nil
            preference.end(index, at: now)
        } else {
            preference.receive(client.condition, from: index, at: now)
        }
    }

    /// Lets the caster and the client of a stream do what is due.
    private mutating func serve(_ index: Int) {
        if streams[index].faultEnd <= second { streams[index].fault = nil }
        if let due = streams[index].client?.wakeAt, due <= now { receive(.woke, index) }
        guard streams[index].isConnected else { return }
        let fault = streams[index].fault
        guard streams[index].hasReplied else { return reply(index, fault) }
        switch fault {
        case .silence: return
        case .noise:
            let noise = (0..<200).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let begun = noise + [0xD3, 0x00, UInt8(random.next() % 40)]
            receive(.bytes(streams[index].body(begun)), index)
        default: break
        }
        // Messages arrive in pieces.
        var rest = streams[index].body(message(index))[...]
        while !rest.isEmpty, streams[index].isConnected {
            let count = 1 + Int(random.next() % 90)
            receive(.bytes(Array(rest.prefix(count))), index)
            rest = rest.dropFirst(count)
        }
    }

    private mutating func reply(_ index: Int, _ fault: Fault?) {
        guard fault != .down else {
            streams[index].isConnected = false
            return receive(.closed("Connection refused"), index)
        }
        receive(.opened, index)
        streams[index].hasReplied = true
        streams[index].isChunked = random.next() % 3 == 0
        let text =
            switch fault {
            case .unavailable: "HTTP/1.1 503 Service Unavailable\r\n\r\n"
            case .notSent:
                "SOURCETABLE 200 OK\r\n\r\nSTR;NEAR;;RTCM 3\r\nSTR;FAR;;RTCM 3\r\nENDSOURCETABLE\r\n"
            case .unauthorized: "HTTP/1.1 401 Unauthorized\r\n\r\n"
            default:
                streams[index].isChunked
                    ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" : "ICY 200 OK\r\n"
            }
        receive(.bytes(Array(text.utf8)), index)
    }

    /// The message that a stream has in this second; each one is different.
    private func message(_ index: Int) -> [UInt8] {
        let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: second >> $0) }
        let station = UInt8(index)
        return CorrectionMessage.frame(
            rtcm: [0x43, 0x50, station] + number + Array(repeating: 0, count: 38))
    }

    /// Writes what the receiver's line carries in a second.
    private mutating func write() {
        guard lineFault <= second else { return }
        if lineFault == second { queue.removeOutdated() }
        for message in queue.batch(of: 960) {
            line.push(message.bytes) { received[$0, default: 0] += 1 }
        }
        dropped = queue.droppedCount
    }
}

@Suite(.timeLimit(.generous))
struct InterruptedDayTests {
    @Test func `a day with 500 interruptions cuts and repeats no message, nor doubles an account`()
        throws
    {
        var day = try Day()
        day.run(interruptions: 500)
        #expect(day.interruptions == 500)
        #expect(day.mostConnections == 1)
        #expect(day.received.values.allSatisfy { $0 == 1 })
        #expect(day.junkCount == 0)
        #expect(day.received.count + day.dropped == day.added)
        // Most of the day has corrections, from each source.
        #expect(day.received.count > 75_000, "\(day.received.count)")
        #expect(day.used == [0, 1, 2])
        // No caster is called more often than every interruption requires.
        #expect(day.connections < 2500, "\(day.connections)")
    }
}
