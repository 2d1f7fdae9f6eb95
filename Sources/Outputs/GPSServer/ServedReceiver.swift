// SPDX-License-Identifier: MIT
import AIS
import Delegation
import GNSS
import GPSConfiguration
import GPSFormats
import GPSIO
import GPSReceivers
import Glibc
import NMEA
import Synchronization

/// One receiver of the server. It encodes the updates of its session as reports for the hub.
///
/// The session calls it on the polling thread that reads the receiver.
final class ServedReceiver: Sendable {
    let source: any DeviceSource
    /// The device path that clients see instead of the source's name, for a recording; `nil` to use
    /// the source's name.
    let title: String?
    /// Whether reading can wait without losing data, as from a file or a pipe.
    let canWait: Bool
    let session: ReceiverSession
    let pool: ReceiverPool
    let hub: ReportHub
    let clocks: ClockOutput
    let nmea2000: NMEA2000Output?
    /// The events of the live page; `nil` without a page.
    let pageFeed: EventFeed?
    /// The receiver's sentences as events. They are published only while the feed has viewers.
    let sentenceFeed = EventFeed(limit: 256 * 1024)
    /// The folder for the journals, which record changes of settings so that they can be undone;
    /// `nil` if clients may not change the receiver.
    private let journals: JournalFolder?
    /// One warm start for each of the source's serial lines; empty unless `hasWarmStart` is
    /// configured.
    private let warmStarts: [WarmStart]
    private let log: MessageLog
    let state: Mutex<State>
    private let isStarted = Atomic(false)

    init(
        _ source: any DeviceSource, hub: ReportHub, clocks: ClockOutput,
        nmea2000: NMEA2000Output?, page: LivePage?, configuration: ServerConfiguration,
        place: Place, title: String?, pool: ReceiverPool, log: MessageLog
    ) {
        self.source = source
        self.title = title
        canWait = source.origin == .replay || source.capabilities.contains(.pausing)
        self.clocks = clocks
        self.nmea2000 = nmea2000
        pageFeed = page?.feed
        journals = configuration.allowsControl ? configuration.journals : nil
        let lines = source.parts.filter { $0.capabilities.contains(.serialLine) }
        warmStarts = (configuration.hasWarmStart ? lines : []).map {
            WarmStart(
                pool.session(for: $0, isPart: source.parts.count > 1), in: configuration.journals,
                others: configuration.ephemerides, clock: configuration.synchronizedTime,
                report: { log($0) })
        }
        self.hub = hub
        self.pool = pool
        self.log = log
        session = pool.session(for: source)
        var receiver = ReceiverModel(source)
        receiver.isLog = true
        receiver.describe = pool.describe
        let path = title ?? source.name
        state = Mutex(
            State(
                receiver: receiver, place: place,
                device: ServedDevice(
                    path: path, origin: source.origin, hasKnownPath: source.namesDevice),
                reports: GPSDReports(device: path, hasOwnMembers: false),
                vessels: AISReports(device: path),
                signalK: SignalKDeltas(
                    receiver: path, origin: source.origin, vessel: VesselIdentity.own),
                page: page == nil ? nil : PageState(receiver, title: title, place: place)))
        sentenceFeed.observeInterest { [weak self] in self?.observeSentencesForPage($0) }
    }

    /// A copy of the state that clients see in `DEVICE` and `POLL`.
    var device: ServedDevice { state.withLock { $0.device } }

    /// The counts and measurements for `/metrics`.
    var metrics: ReceiverMetrics {
        state.withLock { state in
            let mayBeUsed = !state.device.isSilent && clocks.usesTime(of: state.place.clockIndex)
            return ReceiverMetrics(
                device: state.device, receiver: state.receiver, counts: state.counts,
                warmStart: warmStarts.count == 1 ? warmStarts.first?.transfer : nil,
                isTimeUsed: clocks.isEmpty ? nil : state.clock.isUsed.map { $0 && mayBeUsed })
        }
    }

    /// Starts reading the receiver. Another call has no effect: a receiver may be added while the
    /// server starts all receivers.
    func start() {
        guard !isStarted.exchange(true, ordering: .relaxed) else { return }
        let new: [ScopedSubscription?] = [
            session.bytes.observe { [weak self] in self?.receive(bytes: $0) }.scoped,
            session.join { [weak self] in self?.receive($0) },
            session.rejections.observe { [weak self] rejection in
                self?.state.withLock {
                    $0.counts.rejections["\(rejection.reason)", default: 0] += 1
                }
            }.scoped,
            session.processed.observe { [hub] in hub.flush() }.scoped,
            session.encapsulated.observe { [weak self] in self?.receive(vessel: $0) }.scoped,
            session.navigation?.changes.observe { [weak self] in self?.receive($0) }.scoped,
        ]
        state.withLock { $0.subscriptions = new.compactMap(\.self) }
        startWarmStarts()
    }

    /// Stops reading the receiver and its PPS signal, and ends the streams of its sentences. Other
    /// clients are not informed.
    func stop() {
        let old = state.withLock { state in
            let page = exchange(&state.pageSubscriptions, with: [])
            let sentences = exchange(&state.sentences, with: nil)
            return exchange(&state.subscriptions, with: []) + page + [sentences].compactMap(\.self)
        }
        withExtendedLifetime(old) {}
        endPulses()
        sentenceFeed.finish()
    }

    /// Stops serving the receiver, and reports to clients that it is closed.
    func end() {
        _ = endWarmStarts()
        stop()
        closed(isExpected: true)
        publishAlarms(isLast: true) { $0.endAlarms(time: $1) }
        log("\(device.path) is no longer served")
    }

    private func beginPulses(on line: ControllableLine) {
        do {
            let line = try clocks.pulses(on: line)
            endPulses()
            state.withLock { $0.pulses = line }
            log("waiting for pulses on \(device.path)")
        } catch {
            log("pulses on \(device.path) are not used: \(error)", .warning)
        }
    }

    private func endPulses() {
        let line = state.withLock { exchange(&$0.pulses, with: nil) }
        // Releasing the line waits for its thread.
        withExtendedLifetime(line) {}
    }

    /// Sets whether any client receives sentences, and whether any receives raw bytes. Sentences
    /// are only observed if needed. Bytes are always observed, in order to count them.
    func setInterest(sentences: Bool, bytes: Bool) {
        // This placeholder marks the entry while `observe` runs outside the lock.
        let placeholder = Subscription().scoped
        let (isNew, old) = state.withLock { state in
            state.wantsBytes = bytes
            guard sentences != (state.sentences != nil) else {
                return (false, nil as ScopedSubscription?)
            }
            return (sentences, exchange(&state.sentences, with: sentences ? placeholder : nil))
        }
        withExtendedLifetime(old) {}
        guard isNew else { return }
        let new = session.sentences.observe { [weak self] in self?.receive(sentence: $0) }.scoped
        state.withLock { state in
            // Without the placeholder, the subscription was cancelled in the meantime.
            if state.sentences === placeholder { state.sentences = new }
        }
        withExtendedLifetime(new) {}
    }

    // MARK: What the receiver sends

    private func receive(_ update: ReceiverUpdate) {
        let now = session.poller.now
        let (output, isFirstEpoch, isNewDevice) = state.withLock { $0.receive(update, at: now) }
        if case .message(let message) = output {
            log(message, update.level, cause: update.cause(of: source.name))
        }
        if update.openedDevice != nil { opened(at: now) }
        switch update {
        case .condition(.silent, _): didFallSilent()
        case .condition(.lost(let error), _): closed(isExpected: error.code == .cancelled)
        case .condition(.ended, _): closed()
        case .notice(.rateFound(let settings)):
            state.withLock { $0.device.baudRate = settings.baudRate.rawValue }
        // The first replayed sentence follows.
        case .notice(.replay): publish(device)
        case .satellites(let view): report(view)
        case .epoch(let epoch):
            report(epoch, isFirst: isFirstEpoch, isNewDevice: isNewDevice, at: now)
        case .condition, .notice: break
        }
        updatePage(update, at: now)
    }

    private func receive(_ navigation: Navigation) {
        let device = state.withLock { state in
            state.receiver.navigation = navigation
            state.reports.navigation = navigation
            return state.device.path
        }
        for text in navigation.messages { log("\(device): \(text)") }
        publishAlarms { $0.alarm(of: navigation.anchor, time: $1) }
    }

    /// Returns the description of an error. If access was denied because the process switched from
    /// root to `user`, the text explains it.
    static func text(_ error: DeviceError, _ user: String) -> String {
        guard error.code == .permissionDenied, !error.device.contains("://"),
            error.errno != EPERM
        else { return "\(error)" }
        return ReceiverServer.refusal(of: error.device, to: user)
    }

    private func opened(at now: MonotonicInstant) {
        let path = state.withLock { $0.receiver.device }
        let obstacle = clocks.obstacle(to: source, at: path)
        let line = session.line
        let ignoresBaudRate = line?.connection.ignoresBaudRate ?? false
        let ttyRate = line?.hasBaudRate == false ? line?.connection.baudRate?.rawValue : nil
        let device = state.withLock { state in
            state.device.path = title ?? path
            state.device.activated = SystemClock.now
            (state.device.baudRate, state.device.ttyRate) = (source.baudRate?.rawValue, ttyRate)
            (state.device.hasVessels, state.device.lastReports) = (false, [:])
            state.reports.begin(
                device: state.device.path, isSimulated: source.origin == .simulated)
            state.vessels = AISReports(device: state.device.path)
            state.signalK.begin(receiver: state.device.path, origin: source.origin)
            (state.lastTime, state.firstSentence) = (nil, nil)
            state.clock = ClockSampler(
                obstacle: obstacle, ignoresBaudRate: ignoresBaudRate,
                needsAuthentication: clocks.needsAuthentication)
            state.hasPulses = clocks.usesPulses(from: path)
            let mayBeTimed = clocks.mayUsePulses(from: path, of: state.place.clockIndex)
            state.pulseMessages = mayBeTimed ? PulseMessages() : nil
            return state.device
        }
        if let obstacle { reportClock(.notUsed(obstacle), of: device.path) }
        publish(device)
        finishRollback(at: path)
    }

    func reportClock(_ change: ClockSampler.Change, of path: String) {
        guard !clocks.isEmpty else { return }
        switch change {
        case .used where clocks.usesTime(of: clockIndex):
            log("the time from \(path) is passed to chronyd or NTP's shared memory")
        case .used: reportClock(.notUsed(.otherReceiver), of: path)
        case .notUsed(let obstacle):
            log(
                "the time from \(path) is not passed to chronyd or NTP's shared memory: "
                    + obstacle.description, .warning)
        }
    }

    private var clockIndex: Int? { state.withLock { $0.place.clockIndex } }

    private func closed(isExpected: Bool = false) {
        endPulses()
        endMessage()
        let (device, lines) = state.withLock { state in
            guard state.device.activated != nil else { return (state.device, [[UInt8]]()) }
            (state.device.activated, state.device.hasVessels) = (nil, false)
            let lines = state.endFix()
            return (state.device, lines)
        }
        guard !lines.isEmpty else { return }
        publish(lines, of: device.path)
        publishLoss(isExpected: isExpected)
        publish(device)
    }

    private func didFallSilent() {
        let (path, lines) = state.withLock { ($0.device.path, $0.endFix()) }
        publish(lines, of: path)
        publishLoss()
    }

    private func report(
        _ epoch: ReceiverEpoch, isFirst: Bool, isNewDevice: Bool, at now: MonotonicInstant
    ) {
        let (fix, arrival) = (epoch.fix, epoch.arrival)
        let timing =
            hub.wantsTiming ? arrival.flatMap { ReportTiming($0, forProfilers: true) } : nil
        // At the first epoch, the baud rate is taken from the line, which may have detected it.
        let rate = isFirst ? session.line?.knownBaudRate : nil
        let (path, notice, beginsPulses, clock, lines, timed) = state.withLock { state in
            let clock =
                epoch.origin == .replay
                ? (sample: nil, burstStart: nil, change: nil)
                : state.clock.sample(of: fix, delay: clocks.configuration.delay, at: now)
            state.reports.isSimulated = epoch.origin == .simulated
            if let rate { state.device.baudRate = rate.rawValue }
            state.reports.removeAll()
            state.reports.report(fix)
            // The lines are TPV and, if the receiver reports its attitude, ATT.
            let lines = state.reports.lines
            var timed: [UInt8]?
            if let timing {
                state.reports.removeAll()
                state.reports.report(fix, timing)
                timed = state.reports.lines.first
            }
            let notice = isNewDevice ? Self.notice(state.device) : nil
            // Receivers send pulses once they know the time.
            let beginsPulses = state.hasPulses && fix.mode >= .twoD
            if beginsPulses { state.hasPulses = false }
            return (state.device.path, notice, beginsPulses, clock, lines, timed)
        }
        if beginsPulses, let line = session.line { beginPulses(on: line) }
        if let change = clock.change { reportClock(change, of: path) }
        if let sample = clock.sample {
            let sent = clocks.send(
                sample, burstStart: clock.burstStart, of: clockIndex,
                isLeapSecond: fix.time?.time.isLeapSecond == true, at: now)
            for sample in [sent.sentence, sent.pulse].compactMap(\.self) {
                hub.append(Report(.timing, device: path, bytes: sample.report(device: path)))
            }
        }
        if let notice { hub.append(notice) }
        for (index, line) in lines.enumerated() {
            let timedBytes = index == 0 ? timed : nil
            hub.append(Report(.object, device: path, bytes: line, timedBytes: timedBytes))
        }
        // After the yield, clients on this processor can handle the fix before the rest of the
        // cycle is decoded. With several receivers, a yield would delay the others.
        if hub.flush(ifFew: true), clockIndex == nil { sched_yield() }
        nmea2000?.report(epoch)
        let gst = state.withLock { state in
            state.reports.removeAll()
            state.reports.reportDeviations(of: fix)
            let gst = state.reports.lines.first
            state.count(fix, tpv: lines.first, gst: gst)
            return gst
        }
        if let gst { hub.append(Report(.object, device: path, bytes: gst)) }
        if let former = delta({ $0.setOrigin(epoch.origin, time: $1) }) { hub.append(former) }
        if let delta = delta({ $0.delta(of: fix, time: $1, now: now) }) { hub.append(delta) }
        publishAlarms {
            // Without clients, the origin has not been set yet.
            _ = $0.setOrigin(epoch.origin, time: $1)
            return $0.alarms(of: fix, time: $1, now: now)
        }
    }

    private func report(_ view: SatelliteView) {
        let (path, lines) = state.withLock { state in
            state.reports.removeAll()
            state.reports.report(view)
            state.device.lastReports[.sky] = state.reports.objects.first
            return (state.device.path, state.reports.lines)
        }
        for line in lines { hub.append(Report(.object, device: path, bytes: line)) }
    }

    var path: String { state.withLock { $0.device.path } }

    func publish(_ device: ServedDevice) {
        hub.publish(Self.notice(device))
    }

    /// Sends report lines of this receiver.
    private func publish(_ lines: [[UInt8]], of path: String) {
        for line in lines { hub.publish(Report(.object, device: path, bytes: line)) }
    }

    static func notice(_ device: ServedDevice) -> Report {
        Report(.device, device: device.path, bytes: ControlReports.device(device))
    }
}

extension ReceiverServer {
    /// Returns the message that a server that changed to `user` may not open a tty.
    package static func refusal(of tty: String, to user: String) -> String {
        "this server was started as root and now runs as user '\(user)', who is not allowed to "
            + "open \(tty): start it with --user NAME of a user with access to that device, "
            + "or with --user root"
    }
}

extension ServedReceiver {
    /// Changes the receiver's settings or writes bytes to it, as a client requested. Other clients
    /// keep receiving data. Returns the reply lines. Calls `send` with lines that report progress.
    func perform(
        _ change: ReceiverChange, _ send: @escaping @Sendable ([UInt8]) -> Void
    ) async -> [UInt8] {
        let path = change.path
        let isFree = !state.withLock { exchange(&$0.isChanging, with: true) }
        guard isFree else {
            return answer(change, failure: "Can't change \(path): another client is changing it.")
        }
        let answer = await carryOut(change, send)
        let device = state.withLock { state in
            state.isChanging = false
            state.device.baudRate =
                session.line?.knownBaudRate?.rawValue ?? state.device.baudRate
            return state.device
        }
        publish(device)
        return answer + (change.isConfigure ? [] : ControlReports.device(device))
    }

    private func carryOut(
        _ change: ReceiverChange, _ send: @escaping @Sendable ([UInt8]) -> Void
    ) async -> [UInt8] {
        let path = change.path
        do throws(DeviceError) {
            if let bytes = change.bytes {
                guard let line = session.line else {
                    throw DeviceError(.notControllable, device: path)
                }
                try await line.connection.write(bytes)
            }
            guard let request = change.request else { return ControlReports.acknowledgement }
            let outcome = try await session.configure(request, journals: journals) { progress in
                guard change.isConfigure,
                    let text = ConfigurationText.text(progress, of: request)
                else { return }
                send(ControlReports.configure(path, progress: text))
            }
            switch outcome {
            case .done(let report):
                state.withLock { $0.device.cycle = report.measuredRate.map { 1 / $0 } }
                guard change.isConfigure else {
                    return change.bytes == nil ? [] : ControlReports.acknowledgement
                }
                let warnings = report.warnings.flatMap {
                    ControlReports.configure(path, progress: "warning: \($0)")
                }
                let stored =
                    request.readsStoredValues && report.isOfUBlox
                    ? await session.warmStartData(in: journals ?? .default) : nil
                return warnings
                    + ControlReports.configure(
                        path, report, after: request, stored)
            case .failed(let error, let rollback):
                return answer(change, failure: "\(error)" + ConfigurationText.text(rollback))
            }
        } catch {
            return answer(change, failure: "Can't change \(path): \(error)")
        }
    }

    private func answer(_ change: ReceiverChange, failure: String) -> [UInt8] {
        change.isConfigure
            ? ControlReports.configure(change.path, failure: failure)
            : ControlReports.error(failure)
    }

    /// Starts to undo a change of the receiver's settings that was interrupted earlier, if a
    /// journal file records one. `path` is the path of the opened tty.
    private func finishRollback(at path: String) {
        guard let journals else { return }
        Task(executorPreference: BackgroundExecutor.shared) { [session, log] in
            guard let message = await session.finishRollback(at: path, journals) else { return }
            log(message)
        }
    }
}

extension ServedReceiver {
    /// Cancels the task that runs the warm starts, and returns it; `nil` if there is none. The task
    /// ends after the receivers' navigation data has been stored.
    func endWarmStarts() -> Task<Void, Never>? {
        let task = state.withLock { exchange(&$0.warmStarting, with: nil) }
        task?.cancel()
        return task
    }

    private func startWarmStarts() {
        guard !warmStarts.isEmpty else { return }
        let task = Task(executorPreference: session.poller) { [warmStarts] in
            await withDiscardingTaskGroup { group in
                for warmStart in warmStarts { group.addTask { await warmStart.run() } }
            }
        }
        state.withLock { $0.warmStarting = task }
    }
}

/// The receivers that a server serves now.
final class ServedReceivers: Sendable {
    private let list = Mutex<[ServedReceiver]>([])

    var all: [ServedReceiver] { list.withLock { $0 } }

    /// Replaces the receivers. Keeps each one whose source is equivalent to one of `sources`. For
    /// every other source, calls `create` with its index. Returns the receivers that were added and
    /// removed.
    func replace(
        by sources: [any DeviceSource], create: (Int) -> ServedReceiver
    ) -> (added: [ServedReceiver], removed: [ServedReceiver]) {
        var (removed, added) = (all, [ServedReceiver]())
        let new = sources.enumerated().map { index, source in
            if let kept = removed.firstIndex(where: { $0.source.readsSame(as: source) }) {
                return removed.remove(at: kept)
            }
            let receiver = create(index)
            added.append(receiver)
            return receiver
        }
        list.withLock { $0 = new }
        return (added, removed)
    }
}

extension DeviceSource {
    /// Returns whether another source reads the same receiver with the same settings.
    func readsSame(as other: any DeviceSource) -> Bool {
        guard baudRate == other.baudRate, origin == other.origin,
            parts.map(\.baudRate) == other.parts.map(\.baudRate)
        else { return false }
        if identity == other.identity { return true }
        // Recordings and simulations never have equal identities, so they are compared by name.
        return parts.count == 1 && other.parts.count == 1 && kind == other.kind
            && name == other.name
    }
}
