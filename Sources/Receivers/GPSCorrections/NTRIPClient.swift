// SPDX-License-Identifier: MIT
package import GNSS
import NMEA
package import RTCM

/// A client of one stream at an NTRIP caster: it decides when to connect and what to send, and finds
/// the messages in the replies. It is a value without a clock, a task or a socket.
///
/// Pass events to `receive(_:at:)`; then execute the actions that `next()` returns until it returns
/// `nil`. There is never more than one connection, because many casters ban an account that has two.
package struct NTRIPClient: Sendable {
    /// An event of the connection.
    package enum Event: Sendable {
        /// The connection that `.open` requested has been established.
        case opened
        case bytes([UInt8])
        /// The connection could not be opened, or was lost. The text is the reason.
        case closed(String)
        /// The time `wakeAt` has been reached.
        case woke
    }

    /// An action that the client requests.
    package enum Action: Equatable, Sendable {
        case open
        case send([UInt8])
        /// Close the connection. No further events of it may be passed.
        case close
        /// A message for the receiver.
        case deliver(CorrectionMessage)
        /// The source table that was requested.
        case table(SourceTable)
    }

    private enum Phase {
        case closed(until: MonotonicInstant)
        case opening
        /// The request has been sent. `reply` contains the beginning of the reply.
        case head
        /// `reply` contains the beginning of a source table.
        case table
        case stream
        case ended
    }

    /// The maximum time for connecting and for the head of the reply.
    private static let replyTimeout = Duration.seconds(30)
    /// The time without messages after which the receiver's position is sent.
    private static let positionDelay = Duration.seconds(5)
    /// The interval of positions. Casters ban clients that send every second.
    private static let positionInterval = Duration.seconds(10)
    private static let staleAfter = Duration.seconds(10)
    /// The time without messages after which the stream is opened again.
    private static let silenceTimeout = Duration.seconds(60)
    /// The time for which messages must flow before a loss no longer counts as a failed attempt.
    private static let steadyAfter = Duration.seconds(60)
    private static let longestPause = 60.0
    /// The pause after a refusal for some time, or by a caster that has served the stream before: the
    /// base may have been switched off, or the caster has not noticed the end of the last connection.
    private static let refusalPause = Duration.seconds(300)
    private static let longestTable = 4 << 20

    private let address: NTRIPAddress
    private let password: String?
    private var random: SeededGenerator
    private var phase: Phase
    private var version = NTRIPVersion.two
    private var chunks: ChunkDecoder?
    private var framer = CorrectionFramer()
    private var reply: [UInt8] = []
    private var actions: [Action] = []
    /// The number of attempts since messages last flowed for a minute.
    private var attempts = 0
    /// When the current phase began.
    private var phaseStart: MonotonicInstant
    /// When the messages of this connection began, and when the last one was received.
    private var flow: (first: MonotonicInstant, last: MonotonicInstant)?
    /// Whether messages have ever been received.
    private var hasFlowed: Bool
    /// The receiver's last valid position.
    private var position: Fix?
    /// Whether the caster needs the receiver's position, because it sent no messages before.
    private var needsPosition: Bool
    private var lastPosition: MonotonicInstant?

    /// The condition of the stream.
    package private(set) var condition = CorrectionCondition.connecting
    /// The number of positions that have been sent.
    package private(set) var positionCount = 0
    /// The number of connections that have been opened.
    package private(set) var connectionCount = 0

    /// Creates a client, which opens its connection at once. `seed` varies the pauses between
    /// attempts, so that the clients of a caster that restarts do not return together. If
    /// `needsPosition` is `true`, the receiver's position is sent from the beginning; otherwise,
    /// only if the caster sends nothing without it. `hasFlowed` says whether an earlier client has
    /// received messages of the stream; then no refusal is final.
    package init(
        _ address: NTRIPAddress, password: String?, needsPosition: Bool = false,
        hasFlowed: Bool = false, seed: UInt64, at now: MonotonicInstant
    ) {
        self.address = address
        self.hasFlowed = hasFlowed
        self.password = password
        self.needsPosition = needsPosition
        random = SeededGenerator(seed: seed)
        phase = .closed(until: now)
        phaseStart = now
        receive(.woke, at: now)
    }

    /// Stores the receiver's current fix, which may have to be sent. A fix without a position
    /// is ignored: some casters would refuse it like a wrong password.
    package mutating func setPosition(_ fix: Fix) {
        guard fix.coordinate != nil, fix.timeOfDay != nil, fix.quality != .invalid else { return }
        position = fix
    }

    /// Returns the next action; `nil` means to wait for an event.
    package mutating func next() -> Action? { actions.isEmpty ? nil : actions.removeFirst() }

    /// The time at which to pass `.woke` if no other event arrives before; `nil` to wait without a
    /// limit.
    package var wakeAt: MonotonicInstant? {
        switch phase {
        case .closed(let until): return until
        case .opening, .head, .table: return phaseStart + Self.replyTimeout
        case .ended: return nil
        case .stream:
            var deadlines = [lastMessage + Self.silenceTimeout]
            if !isQuiet { deadlines.append(quietAt) }
            if let positionDue { deadlines.append(positionDue) }
            return deadlines.min()
        }
    }

    /// When the last message was received or, before the first one, when the caster replied.
    private var lastMessage: MonotonicInstant { flow?.last ?? phaseStart }

    /// When the lack of messages becomes the condition of the stream.
    private var quietAt: MonotonicInstant {
        lastMessage + (flow == nil ? Self.positionDelay : Self.staleAfter)
    }

    private var isQuiet: Bool { [.silent, .waitingForPosition, .stale].contains(condition) }

    /// When the position must be sent next; `nil` if it is not needed or not known.
    private var positionDue: MonotonicInstant? {
        guard position != nil, needsPosition || flow == nil else { return nil }
        if let lastPosition { return lastPosition + Self.positionInterval }
        return needsPosition ? phaseStart : phaseStart + Self.positionDelay
    }

    /// Processes an event.
    package mutating func receive(_ event: Event, at now: MonotonicInstant) {
        switch (event, phase) {
        case (.opened, .opening):
            enter(.head, at: now)
            let sentence = needsPosition ? positionSentence : nil
            actions.append(
                .send(address.request(version, password: password, position: sentence)))
            if sentence != nil, version == .two { didSendPosition(at: now) }
        case (.bytes(let bytes), .head): receive(head: bytes, at: now)
        case (.bytes(let bytes), .table): receive(table: bytes, at: now)
        case (.bytes(let bytes), .stream): receive(stream: bytes, at: now)
        case (.closed(let reason), _): didClose(reason, at: now)
        case (.woke, _): wake(at: now)
        // Events of a connection that has been closed.
        case (.opened, _), (.bytes, _): break
        }
    }

    private mutating func enter(_ next: Phase, at now: MonotonicInstant) {
        (phase, phaseStart) = (next, now)
    }

    private mutating func wake(at now: MonotonicInstant) {
        switch phase {
        case .closed(let until) where until <= now:
            (chunks, flow, lastPosition, reply) = (nil, nil, nil, [])
            framer.reset()
            connectionCount += 1
            enter(.opening, at: now)
            actions.append(.open)
        case .opening, .head, .table:
            guard phaseStart + Self.replyTimeout <= now else { return }
            // A table may have no end, and its connection may stay open.
            if case .table = phase, !reply.isEmpty { return finishTable(at: now) }
            lose("the caster does not reply", at: now)
        case .stream:
            if lastMessage + Self.silenceTimeout <= now {
                return lose("the caster sends no corrections", at: now)
            }
            if quietAt <= now {
                condition = flow != nil ? .stale : position == nil ? .waitingForPosition : .silent
            }
            if let due = positionDue, due <= now { sendPosition(at: now) }
        case .closed, .ended: break
        }
    }

    // MARK: Replies

    private mutating func receive(head bytes: [UInt8], at now: MonotonicInstant) {
        reply += bytes
        guard let head = NTRIPReply(reply) else { return }
        let content = Array(reply.dropFirst(head.length))
        reply = []
        switch head.meaning {
        case .stream(let isChunked):
            chunks = isChunked ? ChunkDecoder() : nil
            enter(.stream, at: now)
            receive(stream: content, at: now)
            if let due = positionDue, due <= now { sendPosition(at: now) }
        case .table(let isChunked):
            chunks = isChunked ? ChunkDecoder() : nil
            phase = .table
            receive(table: content, at: now)
        case .refused(let refusal): refuse(refusal, at: now)
        case .refusedForNow(let refusal): refuse(refusal, at: now, isFinal: false)
        case .otherVersion: useOtherVersion(or: "the caster does not understand the request", now)
        case .unavailable(let reason): lose("the caster is not available: \(reason)", at: now)
        }
    }

    private mutating func receive(table bytes: [UInt8], at now: MonotonicInstant) {
        reply += chunks?.content(of: bytes) ?? bytes
        let end = Array("ENDSOURCETABLE".utf8)
        // The end is searched only where it can be new.
        let isComplete = reply.suffix(bytes.count + end.count).contains(end)
        if isComplete || chunks?.isEnded == true || reply.count > Self.longestTable {
            finishTable(at: now)
        }
    }

    private mutating func finishTable(at now: MonotonicInstant) {
        let table = SourceTable(reply)
        reply = []
        guard address.mount.isEmpty else {
            let names = table.mounts.map(\.name)
            // Casters also send the table while the base of a stream is not connected to them.
            guard !names.contains(address.mount) else {
                return lose("the caster lists the stream, but does not send it now", at: now)
            }
            let suggestion = UsageError.suggestion(address.mount, of: names)
            return refuse(
                .unknownMount(suggestion: suggestion.isEmpty ? nil : suggestion), at: now)
        }
        phase = .ended
        actions += [.close, .table(table)]
    }

    private mutating func receive(stream bytes: [UInt8], at now: MonotonicInstant) {
        var messages: [CorrectionMessage] = []
        framer.push(chunks?.content(of: bytes) ?? bytes) { messages.append($0) }
        if !messages.isEmpty {
            (flow, hasFlowed) = ((flow?.first ?? now, now), true)
            condition = .flowing
            if let flow, flow.first + Self.steadyAfter <= now { attempts = 0 }
            actions += messages.map { .deliver($0) }
        }
        if chunks?.isEnded == true { lose("the caster ended the stream", at: now) }
    }

    // MARK: The end of a connection

    private mutating func didClose(_ reason: String, at now: MonotonicInstant) {
        switch phase {
        case .table: finishTable(at: now)
        case .head where reply.isEmpty: useOtherVersion(or: reason, now)
        case .head where NTRIPReply(reply) == nil && NTRIPReply(reply + [0x0A]) != nil:
            // The first line has no end.
            receive(head: [0x0A], at: now)
        case .opening, .head, .stream: lose(reason, at: now)
        case .closed, .ended: break
        }
    }

    /// Tries the other version of NTRIP: at once if this is the first failure, otherwise after a
    /// pause.
    private mutating func useOtherVersion(or reason: String, _ now: MonotonicInstant) {
        let isFirst = version == .two && attempts == 0
        version = version == .two ? .one : .two
        lose(reason, at: now, isImmediate: isFirst)
    }

    private mutating func lose(
        _ reason: String, at now: MonotonicInstant, isImmediate: Bool = false
    ) {
        // A link that was lost after it had been steady is opened again at once.
        let wasSteady = flow.map { $0.first + Self.steadyAfter <= $0.last } ?? false
        let isSilent = flow.map { $0.last + Self.silenceTimeout <= now } ?? true
        let exponent = Double(1 << min(attempts, 6))
        let pause = min(Self.longestPause, exponent * (0.8 + 0.4 * random.unit()))
        let isAtOnce = isImmediate || wasSteady && !isSilent
        // A network that closes a stream without messages may want the receiver's position first.
        if case .stream = phase, flow == nil, position != nil { needsPosition = true }
        attempts += 1
        actions.append(.close)
        if !isImmediate { condition = .waiting(reason: reason) }
        enter(.closed(until: isAtOnce ? now : now + .seconds(pause)), at: now)
    }

    private mutating func refuse(
        _ refusal: CorrectionRefusal, at now: MonotonicInstant, isFinal: Bool = true
    ) {
        actions.append(.close)
        guard isFinal, !hasFlowed else {
            condition = .waiting(reason: refusal.message)
            return enter(.closed(until: now + Self.refusalPause), at: now)
        }
        condition = .refused(refusal)
        phase = .ended
    }

    // MARK: The position

    /// The receiver's position as a GGA sentence. Some casters know only the talker GP. What the
    /// receiver does not report is empty.
    private var positionSentence: String? {
        guard let position else { return nil }
        var gga = GGA()
        gga.time = position.timeOfDay
        gga.coordinate = position.coordinate
        gga.quality = position.quality
        gga.satellites = position.satellitesUsed
        gga.hdop = position.dilution.hdop
        gga.altitude = position.altitude
        gga.geoidSeparation = position.geoidSeparation
        var writer = SentenceWriter()
        writer.isExact = false
        writer.write(gga, talker: .gps)
        return String(decoding: writer.bytes.dropLast(2), as: UTF8.self)
    }

    private mutating func sendPosition(at now: MonotonicInstant) {
        guard let sentence = positionSentence else { return }
        needsPosition = true
        actions.append(.send(Array("\(sentence)\r\n".utf8)))
        didSendPosition(at: now)
    }

    private mutating func didSendPosition(at now: MonotonicInstant) {
        lastPosition = now
        positionCount += 1
    }
}
