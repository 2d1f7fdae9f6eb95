// SPDX-License-Identifier: MIT
package import GNSS
package import GNSSNavigation
import UBX

/// Sends a receiver its stored data before its first fix, or reads the data to store. It is a state
/// machine without a clock, a task or a file descriptor, for a line that other consumers also read.
///
/// Only one request is in progress at a time, and each is sent at most twice. Pass every byte of
/// the line to the session, and carry out its outputs in order until `.finished`.
package struct WarmStartSession: Sendable {
    /// The task of a session.
    package enum Purpose: Hashable, Sendable {
        /// Identify the receiver, and load its stored data.
        case identify
        /// Send the stored data to the receiver, unless it has a fix.
        case restore
        /// Read the data of the receiver.
        case collect
    }

    /// An action for the caller. Carry out actions in order.
    package enum Output: Hashable, Sendable {
        /// Write these bytes.
        case write([UInt8])
        /// Load the data that is stored for this receiver, and call `didLoad(_:_:at:)`. It is
        /// `nil` for a receiver without a number, because its data would be mixed with that of others.
        case load(WarmStartReceiver?, isSimulated: Bool)
        /// The session has ended. No more outputs follow.
        case finished(WarmStartOutcome)
    }

    private enum Phase: Hashable, Sendable {
        case start
        case version
        case number
        case solution
        case loading
        case constellations
        case readingFlowControl
        case enablingFlowControl
        case sending(next: Int)
        case collecting(attempt: Int)
        case restoringFlowControl
        case finished
    }

    private let purpose: Purpose
    var line: ConfigurationLine
    /// The serial number of the receiver's USB device; `nil` if it has none.
    private let usbSerialNumber: String?
    /// Returns the time of the system's clock; `nil` while the clock is not synchronised.
    let clock: @Sendable () -> SynchronizedTime?

    private var phase = Phase.start
    var outputs: [Output] = []
    private var pending: PendingExchange?
    /// The time at which to stop sending or collecting; `nil` until the session has begun.
    var limit: MonotonicInstant?

    /// The time at which the session began; `nil` before. `receivedCount` is the number of bytes
    /// received since then.
    var start: MonotonicInstant?
    private var receivedCount = 0
    private var scanner = MessageScanner()
    private var usesKeys = false
    var model = ""
    private var firmware = ""
    private var isSimulated = false
    var receiver: WarmStartReceiver?
    var solution: NavPVT?
    /// Whether the receiver has reported a fix since the session began.
    private var hasFix = false
    private var hasFlowControl = false
    /// The request that disables acknowledgements again; `nil` if they were already enabled.
    private var restoration: [UInt8]?
    var plan: WarmStartPlan?
    /// The data that was loaded.
    private var loaded: (data: WarmStartData?, assistance: AssistanceData) = (nil, AssistanceData())
    private var timeAttempts = 0
    /// The number of consecutive messages without an acknowledgement.
    private var misses = 0
    private var transfer: WarmStartTransfer?
    var data: WarmStartData?
    var result: WarmStartOutcome?

    /// The maximum duration of a session, so that other dialogues can run.
    private static let maximumDuration = Duration.seconds(15)

    package init(
        _ purpose: Purpose, line: ConfigurationLine, usbSerialNumber: String? = nil,
        clock: @escaping @Sendable () -> SynchronizedTime?
    ) {
        (self.purpose, self.line) = (purpose, line)
        (self.usbSerialNumber, self.clock) = (usbSerialNumber, clock)
    }

    /// When to call `next(at:)` again even if no bytes arrive; `nil` if only bytes or `didLoad` can
    /// continue the session.
    var wakeAt: MonotonicInstant? {
        guard let deadline = pending?.deadline, let limit else { return nil }
        return isCollecting ? min(deadline, limit) : deadline
    }

    private var isCollecting: Bool { if case .collecting = phase { true } else { false } }

    /// Handles bytes from the line. They may contain other output of the receiver between replies.
    package mutating func receive(_ bytes: [UInt8], at now: MonotonicInstant) {
        receivedCount += bytes.count
        for message in scanner.messages(in: bytes, at: now) {
            hasFix = hasFix || message.reportsFix
            guard let outcome = pending?.receive(message, at: now) else { continue }
            pending = nil
            didFinish(outcome, at: now)
        }
    }

    /// Passes the data that is stored for the receiver of `.load`, which is `nil` if none is stored,
    /// and the ephemerides of all receivers.
    package mutating func didLoad(
        _ stored: WarmStartData?, _ assistance: AssistanceData = AssistanceData(),
        at now: MonotonicInstant
    ) {
        guard phase == .loading else { return }
        let own = stored.flatMap { $0.receiver.name == receiver?.name ? $0 : nil }
        switch purpose {
        case .identify:
            finish(receiver.map { WarmStartOutcome.identified($0, own) } ?? .failed(.notIdentified))
        case .restore:
            let isRefused = assistance.isSimulated && !isSimulated
            guard !isRefused else { return finish(.failed(.simulated)) }
            loaded = (own, assistance)
            guard !assistance.isEmpty else { return prepareTransfer(at: now) }
            let poll =
                usesKeys
                ? CfgVALGET([.wholeGroup(0x31)]).frame
                : UBXFrame.bytes(CfgGNSS.id, payload: [])
            ask(.constellations, Exchange(poll, attempts: 1, isOptional: true), at: now)
        case .collect:
            if let own { data?.firstFixes = own.firstFixes }
            guard line.carriesDatabase else { return endTransfer(at: now) }
            beginFlowControl(at: now)
        }
    }

    /// Returns the next action; `nil` means to wait for bytes, for `wakeAt` or for `didLoad`.
    package mutating func next(at now: MonotonicInstant) -> Output? {
        while true {
            if !outputs.isEmpty { return outputs.removeFirst() }
            if phase == .start {
                (start, limit) = (now, now + Self.maximumDuration)
                ask(.version, Exchange(UBXFrame.bytes(MonVER.id, payload: [])), at: now)
                continue
            }
            guard let wakeAt, now >= wakeAt else { return nil }
            // Each entry restarts the timeout, so the overall limit is checked here.
            if isCollecting, let limit, now >= limit {
                pending = nil
                didFinish(.silent, at: now)
                continue
            }
            switch pending?.expire(at: now) {
            case .sendAgain(let bytes): return .write(bytes)
            case .concluded(let outcome):
                pending = nil
                didFinish(outcome, at: now)
            case nil: return nil
            }
        }
    }

    // MARK: Requests

    private mutating func ask(_ phase: Phase, _ exchange: Exchange, at now: MonotonicInstant) {
        self.phase = phase
        outputs.append(.write(exchange.bytes))
        pending = PendingExchange(exchange, timeout: line.timeout(of: exchange), at: now)
    }

    mutating func finish(_ outcome: WarmStartOutcome) {
        guard phase != .finished else { return }
        phase = .finished
        pending = nil
        outputs.append(.finished(outcome))
    }

    private mutating func didFinish(_ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        switch phase {
        case .version: didIdentify(outcome, at: now)
        case .number: didReadNumber(outcome, at: now)
        case .solution: didReadSolution(outcome, at: now)
        case .constellations:
            prepareTransfer(constellations(in: outcome), at: now)
        case .readingFlowControl: didReadFlowControl(outcome, at: now)
        case .enablingFlowControl:
            if case .accepted = outcome { hasFlowControl = true }
            beginTransfer(at: now)
        case .sending(let index): didSend(index, outcome, at: now)
        case .collecting(let attempt): didCollect(outcome, attempt: attempt, at: now)
        case .restoringFlowControl: finish(result ?? .failed(.interrupted))
        case .start, .loading, .finished: break
        }
    }
}

extension WarmStartSession {
    /// Returns the constellations that the receiver uses; `nil` if its answer does not say.
    private func constellations(in outcome: Exchange.Outcome) -> Set<Constellation>? {
        let used: [Constellation]? =
            usesKeys
            ? outcome.answer(CfgVALGET.self)?.items.map { items in
                SignalKey.constellations.filter { signal in
                    items.contains { $0.key == signal.key && $0.value == 1 }
                }.compactMap(\.constellation)
            }
            : outcome.answer(CfgGNSS.self)?.blocks.filter(\.isEnabled).compactMap(\.constellation)
        return used.flatMap { $0.isEmpty ? nil : Set($0) }
    }
}

extension ReceivedMessage {
    var reportsFix: Bool {
        switch self {
        case .ubx(NavPVT.id, let payload): return NavPVT(payload: payload.span)?.hasFix == true
        case .line(let line):
            switch line.dropFirst(3).prefix(4) {
            case "RMC,": return line.field(2) == "A"
            case "GGA,": return line.field(6).map { $0 != "0" && !$0.isEmpty } ?? false
            default: return false
            }
        default: return false
        }
    }
}

extension String {
    /// Returns the field of a sentence with this index; the address has index 0.
    fileprivate func field(_ index: Int) -> Substring? {
        let fields = split(separator: ",", maxSplits: index + 1, omittingEmptySubsequences: false)
        return fields.indices.contains(index) ? fields[index] : nil
    }
}

extension WarmStartSession {
    /// The first protocol version with `MGA` messages (generation M8).
    private static let firstProtocol = 15.0

    private mutating func didIdentify(_ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        guard case .accepted(let messages) = outcome,
            let identity = messages.lazy.compactMap(IdentityDetector.identity).first,
            (identity.protocolVersion ?? 0) >= Self.firstProtocol,
            let version = outcome.answer(MonVER.self)
        else { return finish(.failed(.unsupported)) }
        usesKeys = identity.family == .ublox
        isSimulated = version.isSimulated
        model = identity.model
        firmware = ([version.software, version.hardware] + version.extensions.map(\.text))
            .joined(separator: "; ")
        ask(.number, Exchange(UBXFrame.bytes(SecUNIQID.id, payload: [])), at: now)
    }

    private mutating func didReadNumber(_ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        if let number = outcome.answer(SecUNIQID.self)?.identity, !number.isEmpty {
            let digits = number.map { TextLine.hexadecimal($0) }.joined()
            receiver = WarmStartReceiver(name: "ublox-\(digits)", firmware: firmware)
        } else if let usbSerialNumber, !usbSerialNumber.isEmpty {
            receiver = WarmStartReceiver(
                name: "\(model)-usb-\(usbSerialNumber)", firmware: firmware)
        } else if purpose != .restore {
            return finish(.failed(.notIdentified))
        }
        guard purpose != .identify else { return load() }
        ask(.solution, Exchange(UBXFrame.bytes(NavPVT.id, payload: [])), at: now)
    }

    private mutating func didReadSolution(_ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        guard let solution = outcome.answer(NavPVT.self) else {
            return finish(.failed(.interrupted))
        }
        self.solution = solution
        checkRate(at: now)
        if purpose == .restore {
            return hasFix ? finish(.failed(.hasFix)) : load()
        }
        guard let receiver, let position = solution.warmStartPosition, let time = solution.time
        else { return finish(.failed(.noFix)) }
        // If the receiver is being spoofed, its wrong data must not be sent back at the next start.
        if let clock = clock(),
            abs(time.seconds(since: clock.time)) > WarmStartPlan.tolerance + clock.maximumError
        {
            return finish(.failed(.timesDiffer))
        }
        data = WarmStartData(receiver: receiver, time: time, position: position)
        load()
    }

    /// Detects a line that is faster than its baud rate: it is USB or a pseudo terminal, so its
    /// baud rate is meaningless.
    private mutating func checkRate(at now: MonotonicInstant) {
        guard let rate = line.baudRate, let start else { return }
        let time = Double(receivedCount) * 10 / Double(rate)
        guard time > 3 * now.seconds(since: start) + 0.1 else { return }
        line = ConfigurationLine(baudRate: nil, isNativeUSB: true)
    }

    private mutating func load() {
        phase = .loading
        outputs.append(.load(receiver, isSimulated: isSimulated))
    }
}

extension WarmStartSession {
    /// How long to wait for an acknowledgement.
    private static let acknowledgementTime = Duration.seconds(1)
    /// The maximum number of times that a message is sent.
    private static let attempts = 2
    /// The number of consecutive messages without an acknowledgement after which the transfer
    /// stops.
    private static let maximumMisses = 3

    // MARK: Flow control

    /// Starts to enable acknowledgements of assistance data: reads the current setting. Without
    /// acknowledgements, messages would be lost unnoticed while the receiver's input buffer is
    /// full.
    private mutating func beginFlowControl(at now: MonotonicInstant) {
        let poll =
            usesKeys
            ? CfgVALGET([.acknowledgesAiding]).frame : UBXFrame.bytes(CfgNAVX5.id, payload: [])
        ask(.readingFlowControl, Exchange(poll), at: now)
    }

    private mutating func didReadFlowControl(_ outcome: Exchange.Outcome, at now: MonotonicInstant)
    {
        if usesKeys {
            guard let item = outcome.answer(CfgVALGET.self)?.items?.first else {
                return beginTransfer(at: now)
            }
            hasFlowControl = item.value == 1
            func request(_ isOn: Bool) -> [UInt8] {
                CfgVALSET([ConfigurationItem(.acknowledgesAiding, isOn)]).frame
            }
            enableFlowControl(request(true), undo: request(false), at: now)
        } else {
            guard var settings = outcome.answer(CfgNAVX5.self) else {
                return beginTransfer(at: now)
            }
            hasFlowControl = settings.acknowledgesAiding == 1
            (settings.mask, settings.mask2) = (CfgNAVX5.ackAidingMask, 0)
            let undo = settings.frame
            settings.acknowledgesAiding = 1
            enableFlowControl(settings.frame, undo: undo, at: now)
        }
    }

    private mutating func enableFlowControl(
        _ request: [UInt8], undo: [UInt8], at now: MonotonicInstant
    ) {
        guard !hasFlowControl else { return beginTransfer(at: now) }
        restoration = undo
        ask(.enablingFlowControl, Exchange(request), at: now)
    }

    private mutating func beginTransfer(at now: MonotonicInstant) {
        if purpose == .restore { return sendItem(0, at: now) }
        collect(attempt: 1, at: now)
    }

    /// Disables acknowledgements if they were disabled before, then finishes.
    private mutating func endTransfer(at now: MonotonicInstant) {
        if result == nil {
            switch purpose {
            case .restore: result = transfer.map { .restored($0) }
            case .collect, .identify: result = data.map { .collected($0) }
            }
        }
        guard let restoration else { return finish(result ?? .failed(.interrupted)) }
        self.restoration = nil
        ask(.restoringFlowControl, Exchange(restoration), at: now)
    }

    // MARK: Sending

    private mutating func prepareTransfer(
        _ constellations: Set<Constellation>? = nil, at now: MonotonicInstant
    ) {
        do throws(WarmStartObstacle) {
            let plan = try WarmStartPlan(
                loaded.data, loaded.assistance, to: receiver, clock: clock(),
                receiverTime: solution?.time, sendsEntries: line.carriesDatabase,
                constellations: constellations)
            self.plan = plan
            transfer = WarmStartTransfer(age: plan.age)
            beginFlowControl(at: now)
        } catch {
            finish(.failed(error))
        }
    }

    /// Sends the message with this index. Ends the transfer after the last message, or if the
    /// receiver has a fix, does not answer or is too slow.
    private mutating func sendItem(_ index: Int, at now: MonotonicInstant) {
        guard let plan, index < plan.items.count, !hasFix, misses < Self.maximumMisses,
            limit.map({ now < $0 }) ?? false
        else { return endTransfer(at: now) }
        switch plan.items[index] {
        case .time:
            // The clock may have lost its synchronisation since the plan was made.
            guard let clock = clock() else { return endTransfer(at: now) }
            timeAttempts += 1
            // A repetition needs the current time, so `didSend` repeats this message.
            send(index, MgaINITimeUTC(clock).frame, attempts: 1, at: now)
        case .position(let position): send(index, position.frame, attempts: Self.attempts, at: now)
        case .ephemeris(let frame), .parameters(let frame):
            send(index, frame, attempts: Self.attempts, at: now)
        case .entry(let payload):
            guard hasFlowControl else { return endTransfer(at: now) }
            send(
                index, UBXFrame.bytes(MgaDBD.id, payload: payload), attempts: Self.attempts,
                at: now)
        }
    }

    private mutating func send(
        _ index: Int, _ frame: [UInt8], attempts: Int, at now: MonotonicInstant
    ) {
        let id = frame.ubxMessage?.id ?? MgaINI.id
        let reply: ExpectedReply? = hasFlowControl ? .assistance(id) : nil
        ask(
            .sending(next: index),
            Exchange(frame, attempts: attempts, timeout: Self.acknowledgementTime, reply: reply),
            at: now)
    }

    private mutating func didSend(
        _ index: Int, _ outcome: Exchange.Outcome, at now: MonotonicInstant
    ) {
        let isTime = plan?.items[index] == .time
        switch outcome {
        case .accepted:
            if hasFlowControl {
                transfer?.acceptedCount += 1
            } else {
                transfer?.unconfirmedCount += 1
            }
            if isTime { transfer?.hasTime = true }
            if case .ephemeris? = plan?.items[index] { transfer?.ephemerisCount += 1 }
            misses = 0
        case .refused:
            transfer?.refusedCount += 1
            misses = 0
            // Without the time, the receiver uses no other message.
            if isTime, solution?.time == nil { return endTransfer(at: now) }
        case .silent where isTime && timeAttempts < Self.attempts: return sendItem(index, at: now)
        case .silent:
            transfer?.unansweredCount += 1
            misses += 1
        }
        sendItem(index + 1, at: now)
    }

    // MARK: Collecting

    private mutating func collect(attempt: Int, at now: MonotonicInstant) {
        ask(
            .collecting(attempt: attempt),
            Exchange(
                UBXFrame.bytes(MgaDBD.id, payload: []), attempts: 1,
                reply: .database(hasFlowControl: hasFlowControl)), at: now)
    }

    private mutating func didCollect(
        _ outcome: Exchange.Outcome, attempt: Int, at now: MonotonicInstant
    ) {
        if case .accepted(let messages) = outcome, let entries = entries(in: messages) {
            data?.entries = entries.filter { !$0.isEmpty }
        } else if attempt < Self.attempts, limit.map({ now < $0 }) ?? false {
            return collect(attempt: attempt + 1, at: now)
        } else {
            result = .failed(.incomplete)
        }
        endTransfer(at: now)
    }

    /// Returns the database entries in the messages; `nil` if their number differs from the number
    /// that the receiver reports.
    private func entries(in messages: [ReceivedMessage]) -> [[UInt8]]? {
        var entries: [[UInt8]] = []
        var count: UInt32?
        for case .ubx(let id, let payload) in messages {
            if id == MgaDBD.id { entries.append(payload) }
            if id == MgaACK.id { count = MgaACK(payload: payload.span)?.payloadStart }
        }
        guard hasFlowControl else { return entries }
        return count == UInt32(clamping: entries.count) ? entries : nil
    }
}
