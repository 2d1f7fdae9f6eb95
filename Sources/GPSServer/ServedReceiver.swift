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

/// One served receiver: passes the updates of its session to the hub as reports.
///
/// Callbacks run on the polling thread, which reads the receiver.
final class ServedReceiver: Sendable {
    let source: any DeviceSource
    /// The name of a recording for clients; `nil` to use the source's name.
    private let title: String?
    let session: ReceiverSession
    private let hub: ReportHub
    private let clocks: ClockOutput
    /// Where interrupted changes are recorded; `nil` if clients may not change the receiver.
    let journals: JournalFolder?
    /// Whether this is the only receiver.
    private let isAlone: Bool
    /// The user that the process changes to; `nil` if it does not change.
    private let user: String?
    let log: @Sendable (String) -> Void
    let state: Mutex<State>
    private let subscriptions = Mutex<[String: ScopedSubscription]>([:])
    private let pulses = Mutex<PulseLine?>(nil)

    init(
        _ source: any DeviceSource, hub: ReportHub, clocks: ClockOutput, devices: ServedDevices,
        journals: JournalFolder? = nil, isAlone: Bool, user: String? = nil, title: String? = nil,
        pool: ReceiverPool = .shared, log: @escaping @Sendable (String) -> Void
    ) {
        self.source = source
        self.title = title
        self.clocks = clocks
        self.journals = journals
        self.isAlone = isAlone
        self.user = user
        self.hub = hub
        self.log = log
        session = pool.session(for: source)
        var reporter = ConditionReporter(source, .always)
        reporter.isLog = true
        reporter.describe = { Self.words($0, user) }
        state = Mutex(
            State(
                devices: devices,
                device: ServedDevice(path: title ?? source.name, origin: source.origin),
                reports: GPSDReports(device: title ?? source.name, hasOwnMembers: false),
                vessels: VesselReports(device: title ?? source.name),
                reporter: reporter))
    }

    /// The device as clients see it.
    var device: ServedDevice { state.withLock { $0.device } }

    /// Counts and measurements for `/metrics`.
    var metrics: ReceiverMetrics {
        state.withLock { state in
            state.metrics.device = state.device
            state.metrics.isTimeUsed =
                clocks.isEmpty ? nil : state.clock.isUsed.map { $0 && !state.device.isSilent }
            return state.metrics
        }
    }

    /// Opens the receiver.
    func start() {
        let subscription = session.join { [weak self] in self?.receive($0) }
        let rejections = session.rejections.observe { [weak self] rejection in
            self?.state.withLock { $0.metrics.rejections["\(rejection.reason)", default: 0] += 1 }
        }.scoped
        let processed = session.processed.observe { [hub] in hub.flush() }.scoped
        let vessels = session.encapsulated.observe { [weak self] in self?.receive(vessel: $0) }
            .scoped
        subscriptions.withLock {
            $0["updates"] = subscription
            $0["rejections"] = rejections
            $0["processed"] = processed
            $0["vessels"] = vessels
        }
    }

    /// Closes the receiver.
    func stop() {
        let all = subscriptions.withLock { subscriptions in
            defer { subscriptions = [:] }
            return subscriptions
        }
        withExtendedLifetime(all) {}
        endPulses()
    }

    /// Closes the receiver and opens it again.
    func reopen() { session.reopen() }

    private func beginPulses(on line: ControllableLine) {
        do {
            let line = try clocks.pulses(on: line)
            endPulses()
            pulses.withLock { $0 = line }
            log("waiting for pulses on \(device.path)")
        } catch {
            log("no pulses on \(device.path): \(error)")
        }
    }

    private func endPulses() {
        let line = pulses.withLock { pulses in
            defer { pulses = nil }
            return pulses
        }
        // Releasing the line waits for its thread.
        withExtendedLifetime(line) {}
    }

    /// Sets whether a client wants sentences or bytes, so that unwanted ones are not prepared.
    func setInterest(sentences: Bool, bytes: Bool) {
        set("sentences", sentences) { receiver in
            receiver.session.sentences.observe { [weak receiver] in receiver?.receive(sentence: $0)
            }
        }
        state.withLock { $0.wantsBytes = bytes }
        set("bytes", true) { receiver in
            receiver.session.bytes.observe { [weak receiver] in receiver?.receive(bytes: $0) }
        }
    }

    private func set(
        _ name: String, _ isWanted: Bool, _ subscribe: (ServedReceiver) -> Subscription
    ) {
        // A placeholder while subscribing, which happens without the lock.
        let place = Subscription().scoped
        let (isNew, old) = subscriptions.withLock { subscriptions in
            guard isWanted != (subscriptions[name] != nil) else {
                return (false, nil as ScopedSubscription?)
            }
            let old = subscriptions[name]
            subscriptions[name] = isWanted ? place : nil
            return (isWanted, old)
        }
        withExtendedLifetime(old) {}
        guard isNew else { return }
        let new = subscribe(self).scoped
        let surplus = subscriptions.withLock { subscriptions -> ScopedSubscription? in
            // No longer wanted, or stopped in the meantime.
            guard subscriptions[name] === place else { return new }
            subscriptions[name] = new
            return nil
        }
        withExtendedLifetime(surplus) {}
    }

    // MARK: What the receiver sends

    private func receive(_ update: ReceiverUpdate) {
        if case .message(let message) = state.withLock({ $0.reporter.report(update) }) {
            log(message)
        }
        if let path = update.openedDevice { opened(path) }
        switch update {
        case .condition(.silent, _): fellSilent()
        case .condition(.lost, _), .condition(.ended, _): closed()
        case .notice(.rateFound(let settings)):
            state.withLock { $0.device.baudRate = settings.baudRate.rawValue }
        case .satellites(let view): report(view)
        case .epoch(let epoch): report(epoch)
        case .condition, .notice: break
        }
    }

    /// Returns the description of an error. A server started as root names the user that it changed
    /// to.
    private static func words(_ error: DeviceError, _ user: String?) -> String {
        guard let user, error.code == .permissionDenied, !error.device.contains("://"),
            error.errno != EPERM
        else { return "\(error)" }
        return
            "this server was started as root and became '\(user)', which may not open \(error.device): start "
            + "it with --user and the name of a user that may, or with --user root"
    }

    private func opened(_ path: String) {
        let obstacle = clocks.obstacle(to: source, at: path)
        let device = state.withLock { state in
            state.device.path = title ?? path
            state.device.activated = SystemClock.now
            (state.device.isRecognized, state.device.isSilent) = (false, false)
            state.device.origin = source.origin
            state.device.baudRate = source.baudRate?.rawValue
            state.device.lastReports = [:]
            state.reports = GPSDReports(
                device: state.device.path, isSimulated: source.origin == .simulated,
                hasOwnMembers: false)
            state.vessels = VesselReports(device: state.device.path)
            state.lastTime = nil
            state.metrics.reopenCount += state.opened == nil ? 0 : 1
            state.metrics.sourceKind = source.kind.rawValue
            state.opened = session.poller.now
            state.clock = ReceiverClock(obstacle: obstacle)
            state.hasPulses = clocks.havePulses(on: path)
            return state.device
        }
        if let obstacle { reportClock(.notUsed(obstacle), of: device.path) }
        publish(device)
        finishRollback(at: path)
    }

    private func reportClock(_ news: ReceiverClock.News, of path: String) {
        guard !clocks.isEmpty else { return }
        switch news {
        case .used: log("the time of \(path) is used")
        case .notUsed(let obstacle):
            log("the time of \(path) is not used: \(obstacle.description)")
        }
    }

    private func closed() {
        endPulses()
        let (device, lines) = state.withLock { state in
            guard state.device.activated != nil else { return (state.device, [[UInt8]]()) }
            state.device.activated = nil
            (state.device.isRecognized, state.device.isSilent) = (false, false)
            let lines = state.endFix()
            return (state.device, lines)
        }
        guard !lines.isEmpty else { return }
        for line in lines { hub.publish(Report(.object, device: device.path, bytes: line)) }
        publish(device)
    }

    private func fellSilent() {
        let (path, lines) = state.withLock { state in
            state.device.isSilent = true
            return (state.device.path, state.endFix())
        }
        for line in lines { hub.publish(Report(.object, device: path, bytes: line)) }
    }

    private func report(_ epoch: ReceiverEpoch) {
        let (fix, view, arrival) = (epoch.fix, epoch.satellites, epoch.arrival)
        let timing =
            hub.wantsTiming ? arrival.flatMap { ReportTiming($0, forProfilers: true) } : nil
        // The rate found by the search, if none was given.
        let rate = device.isRecognized ? nil : session.line?.knownBaudRate
        let now = session.poller.now
        let (path, notice, hasPulses, clock, lines, timed) = state.withLock { state in
            state.device.isSilent = false
            let clock =
                epoch.origin == .replay
                ? (sample: nil, news: nil)
                : state.clock.sample(of: fix, delay: clocks.configuration.delay, at: now)
            let isFirst = !state.device.isRecognized
            let isNew =
                isFirst || state.device.origin.subtype != epoch.origin.subtype
                || state.device.sendsUBX != epoch.sendsUBX
            state.device.isRecognized = true
            state.device.sendsUBX = epoch.sendsUBX
            state.device.origin = epoch.origin
            state.reports.isSimulated = epoch.origin == .simulated
            if let rate { state.device.baudRate = rate.rawValue }
            state.reports.removeAll()
            state.reports.report(fix)
            // TPV, and ATT if the receiver reports its attitude.
            let lines = Self.lines(state.reports)
            var timed: [UInt8]?
            if let timing {
                state.reports.removeAll()
                state.reports.report(fix, timing)
                timed = Self.lines(state.reports).first
            }
            let notice = isNew ? Self.notice(state.device) : nil
            return (
                state.device.path, notice, isFirst && state.hasPulses, clock, lines, timed
            )
        }
        if hasPulses, let line = session.line { beginPulses(on: line) }
        if let news = clock.news { reportClock(news, of: path) }
        if let sample = clock.sample {
            let pulse = clocks.send(sample, at: now)
            for sample in [sample] + (pulse.map { [$0] } ?? []) {
                let report = TimeOffsetReport(sample, device: path)
                hub.append(Report(.timing, device: path, bytes: report.line))
            }
        }
        if let notice { hub.append(notice) }
        for (index, line) in lines.enumerated() {
            let timedBytes = index == 0 ? timed : nil
            hub.append(Report(.object, device: path, bytes: line, timedBytes: timedBytes))
        }
        // Clients woken by the kernel on this processor receive the fix before the rest of the
        // cycle is decoded. With several receivers this would delay the others.
        if hub.flush(ifFew: true), isAlone { sched_yield() }
        let gst = state.withLock { state in
            state.reports.removeAll()
            state.reports.reportDeviations(of: fix)
            let gst = Self.lines(state.reports).first
            state.metrics.view = view
            state.count(fix, tpv: lines.first, gst: gst, at: now)
            return gst
        }
        if let gst { hub.append(Report(.object, device: path, bytes: gst)) }
    }

    private func report(_ view: SatelliteView) {
        let (path, lines) = state.withLock { state in
            state.reports.removeAll()
            state.metrics.view = view
            state.reports.report(view)
            let lines = Self.lines(state.reports)
            state.device.lastReports[.sky] = lines.first.map(Self.object)
            return (state.device.path, lines)
        }
        for line in lines { hub.append(Report(.object, device: path, bytes: line)) }
    }

    private func receive(sentence: [UInt8]) {
        let isProprietary = sentence.count < 7 || sentence[1] == UInt8(ascii: "P")
        let formatter = isProprietary ? "" : String(decoding: sentence[3..<6], as: UTF8.self)
        let line = sentence + [0x0D, 0x0A]
        hub.append(Report(.sentence(formatter: formatter), device: path, bytes: line))
    }

    private func receive(vessel sentence: [UInt8]) {
        let options = hub.vesselOptions
        let (path, objects) = state.withLock { state in
            (state.device.path, state.vessels.objects(of: sentence, options))
        }
        for (options, object) in objects {
            let line = Array(object.utf8) + [0x0D, 0x0A]
            hub.append(Report(.vessel(options), device: path, bytes: line))
        }
    }

    private func receive(bytes: [UInt8]) {
        let (path, isWanted) = state.withLock { state in
            state.metrics.byteCount += bytes.count
            state.clock.receive(byteCount: bytes.count, baudRate: state.device.baudRate)
            return (state.device.path, state.wantsBytes)
        }
        if isWanted { hub.append(Report(.bytes, device: path, bytes: bytes)) }
    }

    private var path: String { state.withLock { $0.device.path } }

    func publish(_ device: ServedDevice) {
        hub.publish(Self.notice(device))
    }

    private static func notice(_ device: ServedDevice) -> Report {
        Report(.object, device: device.path, bytes: Array(device.report.utf8) + [0x0D, 0x0A])
    }

    /// Returns the reports as lines with the protocol's line ends.
    static func lines(_ reports: GPSDReports) -> [[UInt8]] {
        reports.lines.map { $0 + [0x0D, 0x0A] }
    }

    static func object(_ line: [UInt8]) -> String {
        String(decoding: line.dropLast(2), as: UTF8.self)
    }
}
