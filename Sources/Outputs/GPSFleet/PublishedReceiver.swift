// SPDX-License-Identifier: MIT
package import Delegation
package import GNSS
package import GPSFormats
import GPSIO
package import GPSReceivers

/// A receiver whose fixes are published.
package struct PublishedReceiver: Sendable {
    /// The source of the receiver's data.
    package let source: any DeviceSource
    /// The receiver's name in the fleet.
    package let member: MemberName

    package init(_ source: any DeviceSource, as member: MemberName) {
        self.source = source
        self.member = member
    }

    /// Reads the receiver and appends its fixes, its messages and the end of its data to an inbox.
    /// `sharing` sends its corrections. Reading stops when the result is released.
    package func publish(
        to inbox: PublisherInbox, at rate: FixRate, sharing: [CorrectionSharing] = []
    ) -> ScopedSubscription {
        // Safety: used on the polling thread only, where a session sends its updates.
        nonisolated(unsafe) var rows = PublishedRows(source, rate: rate)
        rows.receiver.purpose = " as \(member)"
        rows.receiver.isLog = true
        let (member, source) = (member, source)
        let session = ReceiverPool.shared.session(for: source)
        // A change of the anchor watch is reported before the update that caused it, so the row for
        // that update already contains it.
        let watch = session.navigation?.changes.observe { navigation in
            rows.receiver.navigation = navigation
            for text in navigation.messages { inbox.note("\(member): \(text)") }
        }.scoped
        // The corrections of a recording are too old.
        let shared = source.origin == .replay ? [] : sharing.map { $0.share(session, as: member) }
        let receive: @Sendable (ReceiverUpdate) -> Void = { update in
            let (output, row) = rows.receive(update)
            if case .message(let message) = output { inbox.note(message, update.level) }
            if let (row, origin) = row {
                inbox.append(PublisherInbox.Incoming(member: member, origin: origin, row: row))
            }
            guard case .condition(.ended(let ending), _) = update else { return }
            if ending.isEmpty, ending.error == nil {
                inbox.note("\(member): no valid sentence was received", .error)
            }
            inbox.end(PublisherInbox.Outcome(ending))
        }
        let updates = session.join(as: inbox.member, receive) {
            ReceiverPool.shared.join(source, as: inbox.member, receive)
        }
        return Subscription {
            updates.dispose()
            watch?.dispose()
            for subscription in shared { subscription.dispose() }
        }.scoped
    }
}

/// Determines which rows of a receiver are published.
package struct PublishedRows: Sendable {
    /// The receiver, which also makes the messages about it.
    package var receiver: ReceiverModel
    private var rate: FixRate
    private var odometer = Odometer()
    /// The anchor watch's condition in the last published row.
    private var published: AnchorState.Condition?

    /// Creates the state before the first update.
    package init(_ source: any DeviceSource, rate: FixRate) {
        receiver = ReceiverModel(source)
        self.rate = rate
    }

    /// Processes an update. Returns the message for the operator, and the row to publish with its
    /// origin; `nil` if there is none.
    package mutating func receive(
        _ update: ReceiverUpdate
    ) -> (output: ReceiverModel.Output?, row: (FixRow, DataOrigin)?) {
        (receiver.receive(update), row(after: update))
    }

    /// Returns the row to publish after an update, with its origin; `nil` if nothing is published.
    ///
    /// A change of the anchor watch is always published. If the update contains no fix, the row has
    /// no position. Such a row is also published if the receiver is lost or silent, or if a live
    /// source ends, because its last position must not be shown as the current one.
    private mutating func row(after update: ReceiverUpdate) -> (FixRow, DataOrigin)? {
        let anchor = receiver.navigation?.anchor
        var origin = receiver.origin
        let hasNews = anchor?.condition != published
        let fix: Fix
        switch update {
        case .epoch(let epoch):
            fix = epoch.fix
            if fix.quality == .simulated { origin = .simulated }
            // Fixes that are not published also count for the distance travelled.
            odometer.add(fix)
        case .condition(.waiting, _), .condition(.silent, _), .condition(.lost, _): fix = Fix()
        case .condition(.ended, _) where origin.mayBeLive: fix = Fix()
        case .condition, .notice:
            guard hasNews else { return nil }
            fix = Fix()
        case .satellites: return nil
        }
        guard rate.accepts(fix) || hasNews else { return nil }
        published = anchor?.condition
        let row = FixRow(
            fix, received: BridgeClock.now, odometer: odometer.distance, anchor: anchor)
        return (row, origin)
    }
}

/// Selects which of a receiver's fixes are published.
package struct FixRate: Sendable {
    private var thinning: FixThinning
    /// The minimum time between published fixes of a receiver that sends no time; `nil` for no
    /// minimum.
    private let untimedInterval: Duration?
    /// The filter for a receiver that sends no time, with all criteria except the minimum time.
    private var untimedThinning: FixThinning
    private var lastUntimed: MonotonicInstant?
    private let onChange: Bool
    private var last: Fix?

    /// With `onChange`, the minimum distance from the last published fix, in metres. A fix whose
    /// horizontal accuracy is worse than this must have moved by at least its accuracy.
    private static let step = 10.0

    /// Creates a filter for the selected fixes. With `onChange`, it accepts a fix only if its mode
    /// or quality has changed since the last accepted fix, or if its distance from that fix is at
    /// least 10 m and at least its horizontal accuracy.
    package init(_ selection: FixSelection = FixSelection(), onChange: Bool = false) {
        var selection = selection
        // A fix that begins a segment is accepted, but a silence must not make it one: a slow
        // source may always be silent for longer than the default.
        selection.gap = .infinity
        thinning = FixThinning(selection)
        // Accept slightly shorter intervals, because the intervals between fixes vary.
        untimedInterval = selection.interval.map { .seconds(min($0, 9e9) * 0.95) }
        var rest = selection
        rest.interval = nil
        untimedThinning = FixThinning(rest)
        self.onChange = onChange
    }

    /// Returns whether a fix is published. After the position was lost, only the first fix without
    /// a position is published. A fix is always published if an integrity warning, an integrity
    /// alarm or a disputed vote begins or ends with it.
    ///
    /// `now` is the time of reception. It is used if the receiver sends no time.
    package mutating func accepts(_ fix: Fix, at now: MonotonicInstant = .now) -> Bool {
        guard fix.integrity?.doubt == last?.integrity?.doubt, isDisputed(fix) == isDisputed(last)
        else {
            last = fix
            return true
        }
        guard fix.coordinate != nil else {
            return exchange(&last, with: fix).map { $0.coordinate != nil } ?? true
        }
        guard isFarEnough(fix, at: now) || last?.coordinate == nil else { return false }
        guard !onChange || isChange(fix) else { return false }
        last = fix
        return true
    }

    private mutating func isFarEnough(_ fix: Fix, at now: MonotonicInstant) -> Bool {
        guard let untimedInterval, fix.time == nil, fix.timeOfDay == nil else {
            return thinning.decision(on: fix).isWritten
        }
        guard lastUntimed.map({ $0 + untimedInterval <= now }) ?? true,
            untimedThinning.decision(on: fix).isWritten
        else { return false }
        lastUntimed = now
        return true
    }

    private func isDisputed(_ fix: Fix?) -> Bool { fix?.vote?.state == .disputed }

    private func isChange(_ fix: Fix) -> Bool {
        guard let last, let position = fix.coordinate, let old = last.coordinate,
            last.mode == fix.mode, last.quality == fix.quality
        else { return true }
        let distance = LocalPlane(at: old).point(at: position).distance
        return distance >= max(Self.step, fix.accuracy.horizontal ?? 0)
    }
}

/// This machine's clock. It may be wrong, for example before NTP has set it.
package enum BridgeClock {
    /// The current time in milliseconds of Unix time; 0 if the clock is out of range.
    package static var now: Int64 { (SystemClock.nanoseconds ?? 0) / 1_000_000 }
    /// The current day as a number of days since 1970, in UTC.
    package static var today: Int { Int(now / 86_400_000) }
}
