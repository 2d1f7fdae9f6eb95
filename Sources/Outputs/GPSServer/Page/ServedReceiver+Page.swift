// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers
import GPSViews
import NMEA
import Synchronization

/// The part of a receiver that only the live page shows: the last reports, and the fixes of the last
/// hour.
struct PageState {
    /// The part of `DEVICE` whose changes are published at once.
    private struct Shown: Equatable {
        var origin: DataOrigin
        var sendsUBX: Bool?
        var firstFix: Double?
        var reason: String?
        var sharing: String?
        var datum: String?
    }

    /// The receiver's name for viewers. The folders in a recording's path are private and are
    /// omitted.
    let name: String
    private let title: String?
    private var place: ServedReceiver.Place
    /// The name of the condition in the page's events, and when it last changed.
    private var condition = ReceiverCondition.searching.name
    private var since = SystemClock.now
    /// The text that explains why the receiver is not open or has no fix; `nil` if it works.
    private var reason: String?
    private var shown: Shown?
    private var reports: GPSDReports
    private var tpv: String?
    private var sky: String?
    private var lastFix: MonotonicInstant?
    private(set) var history: FixHistory
    private var trails = SatelliteTrails()
    /// The stored satellite views of the last hour, followed by the current view.
    var views: [SatelliteView] { trails.views + [view] }
    private var view = SatelliteView()

    /// Creates the state before the first update.
    init(_ receiver: ReceiverModel, title: String?, place: ServedReceiver.Place) {
        (self.title, self.place) = (title, place)
        name = title ?? receiver.source.name
        reports = GPSDReports(device: name)
        history = FixHistory(limit: FixHistory.limit(for: place.count))
    }

    /// Changes the receiver's place among those of the page.
    mutating func move(to place: ServedReceiver.Place) {
        self.place = place
        history.setLimit(FixHistory.limit(for: place.count))
    }

    // MARK: Updates

    /// Processes an update of a receiver whose model contains it already. Returns the objects to
    /// publish.
    mutating func receive(
        _ update: ReceiverUpdate, of receiver: ReceiverModel, at now: MonotonicInstant
    ) -> [String] {
        var objects: [String] = []
        switch update {
        case .condition(let new, _):
            if update.openedDevice != nil {
                reports.begin(
                    device: device(of: receiver), isSimulated: receiver.origin == .simulated)
            }
            if new.name != condition { (condition, since) = (new.name, SystemClock.now) }
            if !receiver.isReceiving {
                (tpv, sky) = (nil, nil)
                history.endSegment()
            }
            reason = new.error.map { text($0, of: receiver) }
            if case .silent(_, let seconds) = new { reason = "no valid data for \(seconds) s" }
            shown = nil
        case .notice(let notice):
            switch notice {
            case .tryingRate, .noSentences, .rateFound:
                if receiver.isReceiving { reason = notice.summary(of: receiver.source) }
            case .otherReader, .otherDatum, .replay, .oneDevice, .member, .vote: break
            }
        case .satellites(let view): objects = report(view)
        case .epoch(let epoch):
            objects = report(epoch, navigation: receiver.navigation)
            if epoch.fix.mode > .noFix { (lastFix, reason) = (now, nil) }
        }
        let new = Shown(
            origin: receiver.shownOrigin, sendsUBX: receiver.sendsUBX,
            firstFix: receiver.timeToFirstFix, reason: reason,
            sharing: receiver.otherReader.map { text($0, of: receiver) }, datum: receiver.datum)
        return exchange(&shown, with: new) == new ? objects : [deviceReport(receiver)] + objects
    }

    private mutating func report(_ epoch: ReceiverEpoch, navigation: Navigation?) -> [String] {
        reports.isSimulated = epoch.origin == .simulated
        reports.removeAll()
        reports.navigation = navigation
        reports.report(epoch.fix, epoch.arrival.flatMap { ReportTiming($0) })
        reports.reportDeviations(of: epoch.fix)
        var objects = reports.objects
        if !objects.isEmpty { objects[0] = Self.extended(objects[0], extras(of: epoch)) }
        tpv = objects.first
        let now = SystemClock.nanoseconds ?? 0
        history.add(epoch.fix, cn0: Self.meanSignal(epoch.satellites), now: now)
        return objects
    }

    private mutating func report(_ view: SatelliteView) -> [String] {
        reports.removeAll()
        reports.report(view)
        self.view = view
        trails.add(view, at: Double(SystemClock.nanoseconds ?? 0) / 1e9)
        sky = reports.objects.first.map { Self.extended($0, extras(of: view)) }
        return [sky].compactMap(\.self)
    }

    // MARK: Objects

    /// Returns the members that `TPV` has on the page in addition to gpsd's.
    private func extras(of epoch: ReceiverEpoch) -> JSONObject {
        let fix = epoch.fix
        var extras = JSONObject()
        extras.add("receiver", place.index)
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
        extras.add("receiver", place.index)
        let signals = view.signals.filter { $0.signal > 0 }.map { signal in
            let cn0 = signal.cn0.map { String($0, atMostDecimals: 1) } ?? "null"
            return "[\(signal.id.constellation.gnssID),\(signal.id.svid),\(signal.signal),\(cn0)]"
        }
        if !signals.isEmpty { extras.add("signals", objects: signals) }
        return extras
    }

    private func deviceReport(_ receiver: ReceiverModel) -> String {
        var object = JSONObject(class: "DEVICE")
        object.add("path", device(of: receiver))
        if receiver.condition.isOpen {
            object.add("driver", ServedDevice.driver(sendsUBX: receiver.sendsUBX))
            object.add("subtype", receiver.shownOrigin.subtype)
            object.add("activated", since?.description)
        } else {
            object.add("activated", 0)
        }
        return Self.extended(object.description, members(of: receiver))
    }

    private func device(of receiver: ReceiverModel) -> String { title ?? receiver.device }

    /// Returns the description of an error, with `name` instead of the source's name.
    private func text(_ error: DeviceError, of receiver: ReceiverModel) -> String {
        "\(error)".replacing(receiver.source.name, with: name)
    }

    private func members(of receiver: ReceiverModel) -> JSONObject {
        var object = JSONObject()
        object.add("receiver", place.index)
        object.add("name", name)
        object.add("device", device(of: receiver))
        object.add("origin", receiver.shownOrigin.rawValue)
        object.add("state", condition)
        object.add("since", since.map { Double($0.unixNanoseconds) / 1e9 }, decimals: 3)
        object.add("reason", reason)
        if receiver.condition.isOpen {
            object.add("sharing", shown?.sharing)
            object.add("datum", shown?.datum)
        }
        receiver.navigation?.add(to: &object)
        if receiver.source.origin != .replay {
            object.add("firstFix", receiver.timeToFirstFix, decimals: 1)
        }
        return object
    }

    /// Returns the receiver's state as a JSON object, without the last hour.
    func description(of receiver: ReceiverModel, at now: MonotonicInstant) -> JSONObject {
        var object = members(of: receiver)
        object.add("age", lastFix.map { now.seconds(since: $0) }, decimals: 2)
        object.add("tpv", json: tpv)
        object.add("sky", json: sky)
        return object
    }

    /// Adds the last hour to the receiver's state, thinned for a page with `count` receivers.
    func addHistory(to object: inout JSONObject, receiverCount count: Int) {
        object.add("period", history.period, decimals: 3)
        object.add("history", json: FixHistory.json(history.thinned(receiverCount: count)))
        object.add("trails", json: trails.json)
    }

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
}

extension ServedReceiver {
    /// The receiver's name for viewers of the page.
    var pageName: String { title ?? source.name }

    /// Whether the data is live, recorded or simulated.
    var pageOrigin: DataOrigin { state.withLock { $0.receiver.shownOrigin } }

    /// Publishes what an update changes on the page.
    func updatePage(_ update: ReceiverUpdate, at now: MonotonicInstant) {
        guard let pageFeed else { return }
        let objects = state.withLock { $0.page?.receive(update, of: $0.receiver, at: now) } ?? []
        for object in objects { pageFeed.publish(ServerSentEvent.bytes(object.utf8)) }
    }

    /// Starts or ends the publication of the sentences in `sentenceFeed`.
    func observeSentencesForPage(_ isWanted: Bool) {
        var new: [ScopedSubscription] = []
        if isWanted {
            new = [
                session.generated.observe { [weak self] sentence in
                    self?.state.withLock { $0.generated = sentence }
                }.scoped,
                session.sentences.observe { [weak self] sentence in
                    guard let self else { return }
                    let generated = state.withLock { exchange(&$0.generated, with: nil) }
                    sentenceFeed.publish(
                        ServerSentEvent.bytes(
                            sentence, event: generated == sentence ? "generated" : nil))
                }.scoped,
                session.rejections.observe { [sentenceFeed] in
                    sentenceFeed.publish(
                        ServerSentEvent.bytes($0.reason.rawValue.utf8, event: "rejected"))
                }.scoped,
            ]
        }
        let old = state.withLock { exchange(&$0.pageSubscriptions, with: new) }
        withExtendedLifetime(old) {}
    }

    /// Returns the receiver's state as a JSON object. If `receiverCount` is not `nil`, the object
    /// includes the last hour, thinned for a page with that number of receivers.
    func description(receiverCount: Int?) -> String {
        let (page, receiver) = state.withLock { ($0.page, $0.receiver) }
        guard let page else { return "{}" }
        var object = page.description(of: receiver, at: session.poller.now)
        if let receiverCount { page.addHistory(to: &object, receiverCount: receiverCount) }
        return object.description
    }

    /// The fixes of the last hour.
    var history: FixHistory { state.withLock { $0.page?.history } ?? FixHistory(limit: 0) }

    /// The plot of the last hour as SVG, as `convert --plot` draws it. Drawing takes some time.
    var sheet: [UInt8] {
        let (page, origin) = state.withLock { ($0.page, $0.receiver.shownOrigin) }
        guard let page else { return [] }
        var plot = Plot()
        plot.begin(page.name, origin)
        var rest = page.views[...]
        for recent in page.history.fixes {
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
