// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers
import Glibc
import NMEA
import Synchronization

/// One receiver on the page: its reports as events, its current state, and its last hour.
///
/// Its callbacks run on the polling thread.
final class LiveReceiver: Sendable {
    private struct State {
        var condition = ReceiverCondition.searching
        var since = SystemClock.now
        /// The reason why it is not open, or its current problem.
        var reason: String?
        var device: String
        /// The origin of its data, as far as known.
        var origin: DataOrigin
        var reports: GPSDReports
        var tpv: String?
        var sky: String?
        var lastFix: MonotonicInstant?
        var history: FixHistory
        var trails = SatelliteTrails()
        var view = SatelliteView()
        var subscription: ScopedSubscription?
        var sentences: [ScopedSubscription] = []
    }

    let source: any DeviceSource
    /// Its name for viewers; for a recording without the folders, which are private.
    let name: String
    private let title: String?
    private let index: Int
    private let session: ReceiverSession
    private let feed: EventFeed
    private let state: Mutex<State>
    /// Its sentences as events; only filled while there are viewers.
    let sentences: EventFeed

    init(
        _ source: any DeviceSource, title: String?, index: Int, historyLimit: Int,
        feed: EventFeed, pool: ReceiverPool
    ) {
        self.source = source
        self.title = title
        name = title ?? source.name
        self.index = index
        self.feed = feed
        session = pool.session(for: source)
        state = Mutex(
            State(
                device: name, origin: source.origin, reports: GPSDReports(device: name),
                history: FixHistory(limit: historyLimit)))
        let interest = Interest()
        sentences = EventFeed(limit: 256 * 1024) { interest.change($0) }
        interest.set { [weak self] in self?.observeSentences($0) }
    }

    /// Connects the feed of sentences, which is created first, with its receiver.
    private final class Interest: Sendable {
        private let body = Mutex<(@Sendable (Bool) -> Void)?>(nil)

        func set(_ body: @escaping @Sendable (Bool) -> Void) { self.body.withLock { $0 = body } }

        func change(_ isWanted: Bool) { body.withLock { $0 }?(isWanted) }
    }

    /// Opens the receiver.
    func start() {
        let subscription = session.join { [weak self] in self?.receive($0) }
        state.withLock { $0.subscription = subscription }
    }

    /// Closes the receiver.
    func stop() {
        let old = state.withLock { state in
            defer { (state.subscription, state.sentences) = (nil, []) }
            return (state.subscription, state.sentences)
        }
        withExtendedLifetime(old) {}
    }

    private func observeSentences(_ isWanted: Bool) {
        var new: [ScopedSubscription] = []
        if isWanted {
            new = [
                session.sentences.observe { [sentences] in
                    sentences.publish(ServerSentEvent.bytes($0))
                }.scoped,
                session.rejections.observe { [sentences] in
                    sentences.publish(
                        ServerSentEvent.bytes("\($0.reason)".utf8, event: "rejected"))
                }.scoped,
            ]
        }
        let old = state.withLock { state in
            defer { state.sentences = new }
            return state.sentences
        }
        withExtendedLifetime(old) {}
    }

    // MARK: What the receiver sends

    private func receive(_ update: ReceiverUpdate) {
        switch update {
        case .condition(let condition, let former): changed(to: condition, after: former)
        case .notice(.rateFound): note(nil)
        case .notice(.tryingRate(let settings)): note("listening at \(settings)")
        case .notice(.noSentences(let bytes)):
            note(bytes == 0 ? "nothing comes" : "\(bytes) bytes, but no valid sentence yet")
        case .notice(.otherReader(let error)): note(words(error))
        case .notice(.member): break
        case .satellites(let view): report(view)
        case .epoch(let epoch): report(epoch)
        }
    }

    /// Returns the description of a problem, with the receiver's name for viewers.
    private func words(_ error: DeviceError) -> String {
        "\(error)".replacing(source.name, with: name)
    }

    private func changed(to condition: ReceiverCondition, after former: ReceiverCondition) {
        let event = state.withLock { state in
            if case .open(let device, nil) = condition, !former.isOpen {
                state.device = title ?? device
                state.origin = source.origin
                state.reports = GPSDReports(
                    device: state.device, isSimulated: source.origin == .simulated)
            }
            if state.condition.name != condition.name { state.since = SystemClock.now }
            state.condition = condition
            state.reason = condition.error.map(words)
            if case .silent(_, let seconds) = condition {
                state.reason = "nothing has come for \(seconds) s"
            }
            if !condition.isReceiving {
                (state.tpv, state.sky) = (nil, nil)
                state.history.endSegment()
            }
            return deviceReport(state)
        }
        publish(event)
    }

    private func note(_ problem: String?) {
        let event = state.withLock { state -> String? in
            guard state.condition.isReceiving, state.reason != problem else { return nil }
            state.reason = problem
            return deviceReport(state)
        }
        if let event { publish(event) }
    }

    private func report(_ epoch: ReceiverEpoch) {
        let fix = epoch.fix
        let lines = state.withLock { state in
            // A replay stays a replay, even of a simulated receiver.
            let origin = source.origin == .replay ? .replay : epoch.origin
            let isNew = state.origin != origin
            state.origin = origin
            state.reports.isSimulated = epoch.origin == .simulated
            state.reports.removeAll()
            let timing = epoch.arrival.flatMap { ReportTiming($0) }
            state.reports.report(fix, timing)
            state.reports.reportDeviations(of: fix)
            var lines = state.reports.lines.map { String(decoding: $0, as: UTF8.self) }
            if !lines.isEmpty { lines[0] = Self.extended(lines[0], extras(of: epoch)) }
            state.tpv = lines.first
            if fix.mode > .noFix {
                state.reason = nil
                state.lastFix = session.poller.now
            }
            let now = SystemClock.nanoseconds ?? 0
            state.history.add(fix, cn0: Self.meanSignal(epoch.satellites), now: now)
            return isNew ? [deviceReport(state)] + lines : lines
        }
        for line in lines { publish(line) }
    }

    private func report(_ view: SatelliteView) {
        let line = state.withLock { state -> String? in
            state.reports.removeAll()
            state.reports.report(view)
            state.view = view
            let now = SystemClock.nanoseconds ?? 0
            state.trails.add(view, at: Double(now) / 1e9)
            state.sky = state.reports.lines.first.map {
                Self.extended(String(decoding: $0, as: UTF8.self), extras(of: view))
            }
            return state.sky
        }
        if let line { publish(line) }
    }

    private func publish(_ object: String) {
        feed.publish(ServerSentEvent.bytes(object.utf8))
    }

    // MARK: Objects

    /// Returns values that have no member in gpsd's objects.
    private func extras(of epoch: ReceiverEpoch) -> JSONObject {
        let fix = epoch.fix
        var extras = JSONObject()
        extras.add("receiver", index)
        extras.add("quality", "\(fix.quality.name)")
        extras.add("accuracy", fix.accuracy.horizontal, decimals: 2)
        extras.add("verticalAccuracy", fix.accuracy.vertical, decimals: 2)
        extras.add("accuracySource", fix.accuracy.source?.rawValue)
        extras.add("hdop", fix.dilution.hdop, decimals: 2)
        extras.add("used", fix.satellitesUsed)
        extras.add("inView", epoch.satellites.counts.inView)
        extras.add("correctionAge", fix.correctionAge, decimals: 1)
        extras.add("correctionStation", fix.correctionStation)
        if let integrity = fix.integrity, integrity.state != .unknown {
            extras.add("integrity", integrity.summary)
        }
        return extras
    }

    /// Returns the signals of all satellites: constellation, number, NMEA's signal id and C/N0.
    private func extras(of view: SatelliteView) -> JSONObject {
        var extras = JSONObject()
        extras.add("receiver", index)
        let signals = view.signals.filter { $0.signal > 0 }.map { signal in
            let cn0 = signal.cn0.map { String($0, atMostDecimals: 1) } ?? "null"
            return "[\(signal.id.constellation.gnssID),\(signal.id.svid),\(signal.signal),\(cn0)]"
        }
        if !signals.isEmpty { extras.add("signals", objects: signals) }
        return extras
    }

    private func deviceReport(_ state: State) -> String {
        var object = JSONObject(class: "DEVICE")
        object.add("path", state.device)
        if state.condition.isOpen {
            object.add("driver", "NMEA0183")
            object.add("subtype", state.origin.subtype)
            object.add("activated", state.since?.description)
        } else {
            object.add("activated", 0)
        }
        return Self.extended(object.description, condition(state))
    }

    private func condition(_ state: State) -> JSONObject {
        var object = JSONObject()
        object.add("receiver", index)
        object.add("name", name)
        object.add("device", state.device)
        object.add("origin", state.origin.rawValue)
        object.add("state", state.condition.name)
        object.add("since", state.since.map { Double($0.unixNanoseconds) / 1e9 }, decimals: 3)
        object.add("reason", state.reason)
        return object
    }

    /// Returns the receiver's state as an object. With `share`, includes its last hour, thinned for
    /// a page with that many receivers.
    func description(share: Int?) -> String {
        let (object, history, trails) = state.withLock { state in
            var object = condition(state)
            let age = state.lastFix.map { session.poller.now.seconds(since: $0) }
            object.add("age", age, decimals: 2)
            object.add("tpv", json: state.tpv)
            object.add("sky", json: state.sky)
            return (object, state.history, state.trails)
        }
        guard let share else { return object.description }
        var whole = object
        whole.add("history", json: FixHistory.json(history.thinned(share: share)))
        whole.add("trails", json: trails.json)
        return whole.description
    }

    /// The satellite views of the last hour, ending with the current one.
    var views: [SatelliteView] { state.withLock { $0.trails.views + [$0.view] } }

    /// The origin of its data, as far as known.
    var origin: DataOrigin { state.withLock { $0.origin } }

    /// The fixes of the last hour.
    var history: FixHistory { state.withLock { $0.history } }

    /// Adds a member that gpsd's clients ignore to an object.
    private static func extended(_ object: String, _ extras: JSONObject) -> String {
        "\(object.dropLast()),\"gpsbridge\":\(extras)}"
    }

    /// The mean C/N0 of the used satellites.
    private static func meanSignal(_ view: SatelliteView) -> Double? {
        var index = 0
        var (sum, count) = (0.0, 0.0)
        while let satellite = view.nextSatellite(after: &index) {
            guard satellite.isUsed, let cn0 = satellite.cn0 else { continue }
            (sum, count) = (sum + cn0, count + 1)
        }
        return count > 0 ? sum / count : nil
    }
}

extension ReceiverCondition {
    /// The name in the page's events.
    fileprivate var name: String {
        switch self {
        case .searching, .waiting: "waiting"
        case .open: "open"
        case .silent: "silent"
        case .lost: "lost"
        case .ended: "ended"
        }
    }

    /// Whether the receiver is open and not silent.
    fileprivate var isReceiving: Bool { if case .open = self { true } else { false } }
}
