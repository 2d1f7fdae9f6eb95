// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers
import GPSViews
import NMEA
import Synchronization

/// One receiver on the live page. It publishes the receiver's reports as events, and stores its
/// current state and the fixes of the last hour.
///
/// The session calls it on the polling thread.
final class LiveReceiver: Sendable {
    private struct State {
        var condition = ReceiverCondition.searching
        var since = SystemClock.now
        /// The text that explains why the receiver is not open or has no fix; `nil` if it works.
        var reason: String?
        /// The message that another program also reads the tty; `nil` if none does. It remains
        /// after a fix, because a fix does not resolve the conflict.
        var sharing: String?
        /// The datum of the positions; `nil` for WGS 84.
        var datum: String?
        var device: String
        /// Whether the data is live, recorded or simulated.
        var origin: DataOrigin
        /// The name of gpsd's driver for the data; `nil` until the receiver has sent an epoch.
        var driver: String?
        var reports: GPSDReports
        var navigation: Navigation?
        var tpv: String?
        var sky: String?
        /// The time at which the device was last opened; `nil` before the first time.
        var opened: MonotonicInstant?
        /// The seconds from opening to the first fix; `nil` before the first fix.
        var firstFix: Double?
        var lastFix: MonotonicInstant?
        var history: FixHistory
        var trails = SatelliteTrails()
        var view = SatelliteView()
        var subscriptions: [ScopedSubscription] = []
        var sentences: [ScopedSubscription] = []
        /// The sentence that comes next, if it was generated from UBX messages; otherwise `nil`.
        var generated: [UInt8]?
    }

    let source: any DeviceSource
    /// The receiver's name for viewers. The folders in a recording's path are private and are
    /// omitted.
    let name: String
    private let title: String?
    /// The receiver's index on the page, from 0. Events contain it as `receiver`.
    let index: Atomic<Int>
    private let session: ReceiverSession
    private let feed: EventFeed
    private let state: Mutex<State>
    /// The receiver's sentences as events. They are published only while the feed has viewers.
    let sentences = EventFeed(limit: 256 * 1024)

    init(
        _ source: any DeviceSource, title: String?, index: Int, historyLimit: Int,
        feed: EventFeed, pool: ReceiverPool
    ) {
        self.source = source
        self.title = title
        name = title ?? source.name
        self.index = Atomic(index)
        self.feed = feed
        session = pool.session(for: source)
        state = Mutex(
            State(
                device: name, origin: source.origin, reports: GPSDReports(device: name),
                history: FixHistory(limit: historyLimit)))
        sentences.observeInterest { [weak self] in self?.observeSentences($0) }
    }

    /// Starts reading the receiver.
    func start() {
        let navigation = session.navigation.map { watch in
            watch.changes.observe { [weak self] navigation in
                self?.state.withLock { $0.navigation = navigation }
            }.scoped
        }
        let updates = session.join { [weak self] in self?.receive($0) }
        state.withLock { $0.subscriptions = [navigation, updates].compactMap(\.self) }
    }

    /// Stops reading the receiver, and ends the streams of its sentences.
    func stop() {
        let old = state.withLock {
            exchange(&$0.subscriptions, with: []) + exchange(&$0.sentences, with: [])
        }
        withExtendedLifetime(old) {}
        sentences.finish()
    }

    private func observeSentences(_ isWanted: Bool) {
        var new: [ScopedSubscription] = []
        if isWanted {
            new = [
                session.generated.observe { [weak self] sentence in
                    self?.state.withLock { $0.generated = sentence }
                }.scoped,
                session.sentences.observe { [weak self] sentence in
                    guard let self else { return }
                    let generated = state.withLock { exchange(&$0.generated, with: nil) }
                    sentences.publish(
                        ServerSentEvent.bytes(
                            sentence, event: generated == sentence ? "generated" : nil))
                }.scoped,
                session.rejections.observe { [sentences] in
                    sentences.publish(
                        ServerSentEvent.bytes($0.reason.rawValue.utf8, event: "rejected"))
                }.scoped,
            ]
        }
        let old = state.withLock { exchange(&$0.sentences, with: new) }
        withExtendedLifetime(old) {}
    }

    // MARK: What the receiver sends

    private func receive(_ update: ReceiverUpdate) {
        switch update {
        case .condition(let condition, let former): changed(to: condition, after: former)
        case .notice(let notice): receive(notice)
        case .satellites(let view): report(view)
        case .epoch(let epoch): report(epoch)
        }
    }

    private func receive(_ notice: ReceiverNotice) {
        switch notice {
        case .tryingRate, .noSentences, .rateFound: note(notice.summary(of: source))
        case .otherReader(let error): change { $0.sharing = error.map(text) }
        case .otherDatum(let datum): change { $0.datum = datum }
        case .replay: change { $0.origin = .replay }
        case .oneDevice, .member, .vote: break
        }
    }

    /// Returns the description of an error, with `name` instead of the source's name.
    private func text(_ error: DeviceError) -> String {
        "\(error)".replacing(source.name, with: name)
    }

    private func changed(to condition: ReceiverCondition, after former: ReceiverCondition) {
        change { state in
            if case .open(let device, nil) = condition, !former.isOpen {
                state.device = title ?? device
                (state.origin, state.driver) = (source.origin, nil)
                (state.opened, state.firstFix) = (session.poller.now, nil)
                state.reports = GPSDReports(
                    device: state.device, isSimulated: source.origin == .simulated)
            }
            if state.condition.name != condition.name { state.since = SystemClock.now }
            state.condition = condition
            state.reason = condition.error.map(text)
            if !condition.isOpen { (state.sharing, state.datum) = (nil, nil) }
            if case .silent(_, let seconds) = condition {
                state.reason = "no valid data for \(seconds) s"
            }
            if !condition.isReceiving {
                (state.tpv, state.sky) = (nil, nil)
                state.history.endSegment()
            }
        }
    }

    /// Changes the state, and publishes an event with the receiver's new state.
    private func change(_ body: (inout State) -> Void) {
        publish(
            state.withLock { state in
                body(&state)
                return deviceReport(state)
            })
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
            // A recording of a simulated receiver counts as a replay.
            let origin = source.origin == .replay ? .replay : epoch.origin
            let isNew = state.origin != origin || state.driver != epoch.driver
            (state.origin, state.driver) = (origin, epoch.driver)
            state.reports.isSimulated = epoch.origin == .simulated
            state.reports.removeAll()
            state.reports.navigation = state.navigation
            let timing = epoch.arrival.flatMap { ReportTiming($0) }
            state.reports.report(fix, timing)
            state.reports.reportDeviations(of: fix)
            var lines = state.reports.objects
            if !lines.isEmpty { lines[0] = Self.extended(lines[0], extras(of: epoch)) }
            state.tpv = lines.first
            var isFirst = false
            if fix.mode > .noFix {
                state.reason = nil
                let now = session.poller.now
                state.lastFix = now
                isFirst = state.firstFix == nil && state.opened != nil
                state.firstFix = state.firstFix ?? state.opened.map { now.seconds(since: $0) }
            }
            let now = SystemClock.nanoseconds ?? 0
            state.history.add(fix, cn0: Self.meanSignal(epoch.satellites), now: now)
            return isNew || isFirst ? [deviceReport(state)] + lines : lines
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
            state.sky = state.reports.objects.first.map { Self.extended($0, extras(of: view)) }
            return state.sky
        }
        if let line { publish(line) }
    }

    private func publish(_ object: String) {
        feed.publish(ServerSentEvent.bytes(object.utf8))
    }

    // MARK: Objects

    /// Returns the members that `TPV` has on the page in addition to gpsd's.
    private func extras(of epoch: ReceiverEpoch) -> JSONObject {
        let fix = epoch.fix
        var extras = JSONObject()
        extras.add("receiver", index.load(ordering: .relaxed))
        extras.add("quality", "\(fix.quality.name)")
        extras.add("accuracy", fix.accuracy.horizontal, decimals: 3)
        extras.add("verticalAccuracy", fix.accuracy.vertical, decimals: 3)
        extras.add("accuracySource", fix.accuracy.source?.rawValue)
        extras.add("hdop", fix.dilution.hdop, decimals: 2)
        extras.add("used", fix.satellitesUsed)
        extras.add("inView", epoch.satellites.counts.inView)
        extras.add("correctionAge", fix.correctionAge, decimals: 1)
        extras.add("correctionStation", fix.correctionStation)
        extras.add("outvoted", fix.vote?.dissent)
        let reports = FixProperty.reported.compactMap { property in
            property.label.flatMap { label in
                property.text(fix).map { "[\(String(json: label.text)),\(String(json: $0))]" }
            }
        }
        if !reports.isEmpty { extras.add("reports", objects: reports) }
        return extras
    }

    /// Returns the members that `SKY` has on the page in addition to gpsd's. `signals` contains for
    /// each signal the constellation, the satellite's number, NMEA's signal ID and the C/N0 in
    /// dB-Hz.
    private func extras(of view: SatelliteView) -> JSONObject {
        var extras = JSONObject()
        extras.add("receiver", index.load(ordering: .relaxed))
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
            object.add("driver", state.driver)
            object.add("subtype", state.origin.subtype)
            object.add("activated", state.since?.description)
        } else {
            object.add("activated", 0)
        }
        return Self.extended(object.description, condition(state))
    }

    private func condition(_ state: State) -> JSONObject {
        var object = JSONObject()
        object.add("receiver", index.load(ordering: .relaxed))
        object.add("name", name)
        object.add("device", state.device)
        object.add("origin", state.origin.rawValue)
        object.add("state", state.condition.name)
        object.add("since", state.since.map { Double($0.unixNanoseconds) / 1e9 }, decimals: 3)
        object.add("reason", state.reason)
        object.add("sharing", state.sharing)
        object.add("datum", state.datum)
        state.navigation?.add(to: &object)
        if source.origin != .replay { object.add("firstFix", state.firstFix, decimals: 1) }
        return object
    }

    /// Returns the receiver's state as a JSON object. If `receiverCount` is not `nil`, the object
    /// includes the last hour, thinned for a page with that number of receivers.
    func description(receiverCount: Int?) -> String {
        let (object, history, trails) = state.withLock { state in
            var object = condition(state)
            let age = state.lastFix.map { session.poller.now.seconds(since: $0) }
            object.add("age", age, decimals: 2)
            object.add("tpv", json: state.tpv)
            object.add("sky", json: state.sky)
            return (object, state.history, state.trails)
        }
        guard let receiverCount else { return object.description }
        var whole = object
        whole.add("period", history.period, decimals: 3)
        whole.add("history", json: FixHistory.json(history.thinned(receiverCount: receiverCount)))
        whole.add("trails", json: trails.json)
        return whole.description
    }

    /// The stored satellite views of the last hour, followed by the current view.
    var views: [SatelliteView] { state.withLock { $0.trails.views + [$0.view] } }

    /// Whether the data is live, recorded or simulated.
    var origin: DataOrigin { state.withLock { $0.origin } }

    /// Changes the maximum number of stored fixes.
    func setHistoryLimit(_ limit: Int) { state.withLock { $0.history.setLimit(limit) } }

    /// The fixes of the last hour.
    var history: FixHistory { state.withLock { $0.history } }

    /// Returns a JSON object with `extras` added as its member `gpsbridge`, which gpsd's clients
    /// ignore.
    private static func extended(_ object: String, _ extras: JSONObject) -> String {
        "\(object.dropLast()),\"gpsbridge\":\(extras)}"
    }

    /// Returns the mean C/N0 of the used satellites in dB-Hz; `nil` if none has a C/N0.
    private static func meanSignal(_ view: SatelliteView) -> Double? {
        let signals = view.satellites.filter(\.isUsed).compactMap(\.cn0)
        return signals.isEmpty ? nil : signals.reduce(0, +) / Double(signals.count)
    }
}

extension ReceiverCondition {
    /// The name of the condition in the page's events (`state`).
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

extension LiveReceiver {
    /// The plot of the last hour as SVG, as `convert --plot` draws it. Drawing takes some time.
    var sheet: [UInt8] {
        let (fixes, views) = (history.fixes, views)
        var plot = Plot()
        plot.begin(name, origin)
        var rest = views[...]
        for recent in fixes {
            guard !Task.isCancelled else { return [] }
            if recent.beginsSegment { plot.endSegment() }
            plot.didReceive(fix: recent.fix, satellites: SatelliteView())
            while let view = rest.first, view.time?.unixNanoseconds ?? 0 <= recent.time {
                plot.didReceive(satellites: view)
                rest.removeFirst()
            }
        }
        for view in rest { plot.didReceive(satellites: view) }
        return SVGImage.bytes(of: Sheet.draw(plot))
    }
}
