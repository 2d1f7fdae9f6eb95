// SPDX-License-Identifier: MIT
import Delegation
import GNSS
public import GPSIntegrity
package import GPSReceivers
import Glibc

/// The state of a location manager and its transitions. Methods only change the state, and return
/// the effects that the manager must carry out.
struct LocationManagerState {
    /// An action that follows from a transition: a delegate call, or the result of a request.
    enum Effect: Sendable {
        case location(Location)
        indirect case heading(Heading)
        case integrity(Integrity)
        case failure(LocationError)
        case authorization
        case paused
        case resumed
        case asked(LocationRequest, Location)
        case waiting(LocationRequest, Duration)
        case fulfilled(LocationRequest, Location)
        case rejected(LocationRequest, any Error)
        case ended
    }

    /// The time after opening at which a missing first fix is reported as a failure.
    private static let firstFixLimit = Duration.seconds(60)

    var location: Location?
    var distanceFilter = LocationManager.distanceFilterNone
    var desiredAccuracy = LocationManager.accuracyBest
    var heading: Heading?
    var headingFilter = LocationManager.defaultHeadingFilter
    private(set) var authorizationStatus = AuthorizationStatus.notDetermined
    /// The number of the current run of location updates. It increases when updates are stopped, so
    /// that delegate calls that are still pending can be dropped.
    private var locationRun = 0
    /// The number of the current run of heading updates.
    private var headingRun = 0

    let sources: [any DeviceSource]
    /// The sources' names in locations and headings, each different from the others.
    private let names: [String]
    /// The states of the receivers, one for each source.
    private var receivers: [ManagedReceiver]
    /// The last location reported for each source, for the distance filter.
    private var lastSent: [Location?]
    /// The last heading reported for each source, for the heading filter.
    private var lastHeadings: [Heading?]
    private(set) var isUpdating = false
    private var isUpdatingHeading = false
    private var isPaused = false
    private var requests: [LocationRequest] = []
    private var nextRequest: UInt64 = 0
    private var lastJoin = 0
    /// Whether a source that cannot be opened counts as ended, because it will not be retried.
    var endsWithFailures = false
    /// The subscriptions to the sessions, keyed by the index of the source.
    private var subscriptions: [Int: ScopedSubscription] = [:]

    init(sources: [any DeviceSource]) {
        self.sources = sources
        names = sources.distinctNames
        receivers = sources.map { ManagedReceiver($0) }
        lastSent = sources.map { _ in nil }
        lastHeadings = sources.map { _ in nil }
    }

    // MARK: Updates and requests

    /// Returns the current run of the given kind of updates.
    func run(of updates: UpdateRun.Updates) -> UpdateRun {
        let isForHeadingsOnly = isUpdatingHeading && !isUpdating
        return switch updates {
        case .locations: UpdateRun(locations: locationRun)
        case .headings: UpdateRun(headings: headingRun)
        case .all:
            UpdateRun(
                locations: isForHeadingsOnly ? nil : locationRun,
                headings: isUpdatingHeading ? headingRun : nil)
        }
    }

    /// Returns `true` if any of the updates that `run` identifies have not been stopped since.
    func isCurrent(_ run: UpdateRun) -> Bool {
        run.locations == locationRun || run.headings == headingRun
    }

    /// Starts location updates. Returns effects that report the receivers' current problems.
    mutating func startUpdating(at now: MonotonicInstant) -> [Effect] {
        guard !isUpdating else { return [] }
        isUpdating = true
        lastSent = sources.map { _ in nil }
        for index in receivers.indices { receivers[index].reportMissingFixAgain(at: now) }
        return endWithoutSources ?? knownFailures(at: now)
    }

    /// Starts heading updates. Returns effects that report the receivers' current problems.
    mutating func startUpdatingHeading(at now: MonotonicInstant) -> [Effect] {
        guard !isUpdatingHeading else { return [] }
        isUpdatingHeading = true
        lastHeadings = sources.map { _ in nil }
        return endWithoutSources ?? knownFailures(at: now)
    }

    /// Returns effects that report the current problems of receivers that are already being read.
    private mutating func knownFailures(at now: MonotonicInstant) -> [Effect] {
        receivers.indices.flatMap { index -> [Effect] in
            switch receivers[index].condition {
            case .waiting(let error), .lost(let error), .open(_, let error?):
                [.failure(LocationError(of: error))]
            case .silent: hasNoFix(index, at: now)
            // A receiver that could not be opened is not reported, because each start tries again.
            case .searching, .open, .ended: []
            }
        }
    }

    /// Stops location updates. Returns the objects to release outside the lock.
    mutating func stopUpdating() -> [Any] {
        isUpdating = false
        locationRun += 1
        return [detachIfIdle()]
    }

    /// Stops heading updates. Returns the objects to release outside the lock.
    mutating func stopUpdatingHeading() -> [Any] {
        isUpdatingHeading = false
        headingRun += 1
        return [detachIfIdle()]
    }

    /// Adds a request and returns it. The caller waits for its promise.
    mutating func add(_ criterion: LocationRequest.Criterion) -> LocationRequest {
        nextRequest += 1
        let request = LocationRequest(id: nextRequest, criterion)
        requests.append(request)
        return request
    }

    /// Returns the effect that rejects a request if it cannot succeed in the current state; `nil`
    /// if it can.
    func refusal(of id: UInt64) -> Effect? {
        guard let request = requests.first(where: { $0.id == id }), let reason = permanentFailure
        else { return nil }
        return .rejected(request, reason)
    }

    /// The failure to report if no source can report a location without an action by the user, such
    /// as granting permission; `nil` if any source still may.
    private var permanentFailure: LocationError? {
        var reason: LocationError? = noSource
        for (receiver, source) in zip(receivers, sources) {
            if case .ended(let ending) = receiver.condition {
                let error = ending.error ?? DeviceError(.ended, device: source.name)
                reason = reason ?? LocationError(ofEnd: error)
                continue
            }
            // A single receiver is denied even if it was open before. Of several, one that was open
            // is waited for.
            let failure = WaitPolicy.unlessDenied.failure(
                in: receiver.condition, of: source,
                wasUsable: sources.count > 1 && receiver.model.hasBeenOpen)
            guard let failure else { return nil }
            if reason?.code != .denied { reason = LocationError(.denied, cause: failure) }
        }
        return reason
    }

    /// Removes a request. Returns the objects to release outside the lock.
    mutating func remove(_ id: UInt64) -> [Any] {
        let dropped = requests.filter { $0.id == id }
        requests.removeAll { $0.id == id }
        return [dropped, detachIfIdle()]
    }

    /// Returns the effect that ends a request at its timeout; `nil` if it has already ended.
    mutating func expire(_ id: UInt64, at now: MonotonicInstant) -> Effect? {
        guard let request = requests.first(where: { $0.id == id }) else { return nil }
        return request.end(orFailWith: LocationError(.timedOut, cause: cause(at: now)))
    }

    // MARK: Sessions

    private var isWanted: Bool { isUpdating || isUpdatingHeading || !requests.isEmpty }

    /// Returns the sources whose sessions must be joined now, and a number that identifies their
    /// updates; `nil` if there are none. These sources are not joined and have not ended, or have
    /// ended with an error before they were open.
    mutating func sourcesToJoin() -> (join: Int, sources: [(index: Int, source: any DeviceSource)])?
    {
        guard isWanted else { return nil }
        let indices = sources.indices.filter { index in
            let receiver = receivers[index]
            return receiver.hasFailed || !receiver.hasEnded && receiver.join == nil
        }
        guard !indices.isEmpty else { return nil }
        lastJoin += 1
        for index in indices {
            receivers[index] = ManagedReceiver(sources[index], join: lastJoin)
        }
        return (lastJoin, indices.map { ($0, sources[$0]) })
    }

    /// Stores the subscriptions to joined sessions. Returns those that are no longer needed, to
    /// release outside the lock.
    mutating func joined(
        _ join: Int, _ new: [Int: ScopedSubscription]
    ) -> [ScopedSubscription] {
        new.compactMap { index, subscription in
            // If the numbers differ, updates were stopped or the source was joined again since.
            guard receivers[index].join == join else { return subscription }
            return subscriptions.updateValue(subscription, forKey: index)
        }
    }

    private mutating func detachIfIdle() -> [Int: ScopedSubscription] {
        // Updates that start later must report a pause of their own.
        if !isUpdating, !isUpdatingHeading { isPaused = false }
        guard !isWanted else { return [:] }
        for index in receivers.indices { receivers[index].forget() }
        return exchange(&subscriptions, with: [:])
    }

    // MARK: The receivers

    /// Handles an update from the source at `index`. `join` is as in `ManagedReceiver.join`.
    mutating func didReceive(
        _ update: ReceiverUpdate, from index: Int, join: Int, at now: MonotonicInstant
    ) -> [Effect] {
        // Updates of an earlier join, such as the source's end, arrive after a stop and are
        // ignored.
        guard receivers[index].join == join else { return [] }
        let effects = effects(of: update, from: index, at: now)
        guard !isUpdating, !isUpdatingHeading else { return effects }
        // A receiver opened only for a request causes no delegate calls except for changes of
        // authorization.
        return effects.filter { effect in
            switch effect {
            case .location, .heading, .integrity, .failure, .paused, .resumed: false
            case .authorization, .asked, .waiting, .fulfilled, .rejected, .ended: true
            }
        }
    }

    private mutating func effects(
        of update: ReceiverUpdate, from index: Int, at now: MonotonicInstant
    ) -> [Effect] {
        receivers[index].model.receive(update, at: now)
        switch update {
        case .condition(_, let former): return changed(index, after: former, at: now)
        case .notice(.otherReader(let error?)): return [.failure(LocationError(of: error))]
        case .epoch(let epoch): return received(epoch, index, now)
        case .notice, .satellites: return []
        }
    }

    private mutating func changed(
        _ index: Int, after former: ReceiverCondition, at now: MonotonicInstant
    ) -> [Effect] {
        switch receivers[index].condition {
        case .searching: []
        case .waiting(let error): unavailable(error)
        case .open(_, let problem?): [.failure(LocationError(of: problem))]
        case .open: former.isOpen ? [] : opened(index, now)
        case .silent: hasNoFix(index, at: now)
        case .lost(let error): lost(error)
        case .ended(let ending): ended(ending.error)
        }
    }

    private mutating func opened(_ index: Int, _ now: MonotonicInstant) -> [Effect] {
        (receivers[index].hasFix, receivers[index].fixWaitStart) = (false, now)
        defer { isPaused = false }
        return authorize(.authorizedAlways) + (isPaused ? [.resumed] : [])
    }

    private mutating func lost(_ error: DeviceError) -> [Effect] {
        let failure = Effect.failure(LocationError(of: error))
        // Updates continue while another receiver is open. A request has no updates to pause.
        guard !hasOpen, !isPaused, isUpdating || isUpdatingHeading else { return [failure] }
        isPaused = true
        return [.paused, failure]
    }

    private mutating func unavailable(_ error: DeviceError) -> [Effect] {
        guard error.code == .permissionDenied else {
            return [.failure(LocationError(of: error))]
        }
        let denied = LocationError(.denied, cause: error)
        let changes = hasOpen ? [] : authorize(.denied)
        let rejections = permanentFailure == nil ? [] : requests.map { Effect.rejected($0, denied) }
        return changes + rejections + [.failure(denied)]
    }

    private mutating func ended(_ error: DeviceError?) -> [Effect] {
        let failure = error.map { [Effect.failure(LocationError(ofEnd: $0))] } ?? []
        let results =
            permanentFailure.map { final in requests.map { $0.end(orFailWith: final) } } ?? []
        let isOver = receivers.allSatisfy { $0.hasEnded || endsWithFailures && $0.hasFailed }
        return results + failure + (isOver ? [.ended] : [])
    }

    private mutating func authorize(_ status: AuthorizationStatus) -> [Effect] {
        guard status != authorizationStatus else { return [] }
        authorizationStatus = status
        return [.authorization]
    }

    private mutating func received(
        _ epoch: ReceiverEpoch, _ index: Int, _ now: MonotonicInstant
    ) -> [Effect] {
        guard receivers[index].condition.isOpen, let since = receivers[index].fixWaitStart else {
            return []
        }
        let headings = (epoch.heading.map { update($0, index) } ?? []) + integrity(of: epoch, index)
        guard epoch.fix.mode > .noFix else {
            guard receivers[index].hasFix || since.duration(to: now) > Self.firstFixLimit else {
                return headings
            }
            return headings + hasNoFix(index, at: now)
        }
        receivers[index].hasFix = true
        guard var new = epoch.location else { return headings }
        // The session is shared, so another manager may have opened the tty under another name.
        new.sourceInformation.source = names[index]
        location = new
        return answer(new) + update(new, index) + headings
    }

    /// Returns the failure for an open receiver that has no fix or is silent, unless it was already
    /// reported or another receiver has a fix.
    private mutating func hasNoFix(_ index: Int, at now: MonotonicInstant) -> [Effect] {
        guard let start = receivers[index].fixWaitStart, receivers[index].hasFix || start <= now
        else { return [] }
        // The failure is reported again after the next loss of a fix or a day without one. If
        // location updates are not running, it is reported when they start.
        receivers[index].hasFix = false
        receivers[index].fixWaitStart = isUpdating ? now + .seconds(86_400) : min(start, now)
        guard !hasFix, isUpdating else { return [] }
        let cause = receivers[index].silence(at: now)
        return [.failure(LocationError(.locationUnknown, cause: cause))]
    }

    private mutating func answer(_ new: Location) -> [Effect] {
        requests.indices.map { index in
            switch requests[index].criterion {
            case .predicate: return .asked(requests[index], new)
            case .accuracy(let accuracy, let accuracyTimeout)
            where accuracy > 0 && new.horizontalAccuracy > accuracy:
                let isFirst = requests[index].keep(new)
                return isFirst ? accuracyTimeout.map { .waiting(requests[index], $0) } : nil
            case .accuracy: return .fulfilled(requests[index], new)
            }
        }.compactMap(\.self)
    }

    private mutating func update(_ new: Location, _ index: Int) -> [Effect] {
        guard isUpdating else { return [] }
        if let last = lastSent[index], distanceFilter > 0,
            new.distance(from: last) < distanceFilter
        {
            return []
        }
        lastSent[index] = new
        return [.location(new)]
    }

    /// Returns the effect that reports an epoch's integrity if its state or its reasons differ from
    /// the receiver's last integrity; otherwise an empty list.
    private mutating func integrity(of epoch: ReceiverEpoch, _ index: Int) -> [Effect] {
        guard isUpdating, let new = epoch.fix.integrity else { return [] }
        let last = receivers[index].integrity
        receivers[index].integrity = new
        return last.map { new.isSameVerdict(as: $0) } ?? (new.state == .unknown)
            ? [] : [.integrity(new)]
    }

    private mutating func update(_ heading: Heading, _ index: Int) -> [Effect] {
        var new = heading
        new.sourceInformation.source = names[index]
        self.heading = new
        guard isUpdatingHeading else { return [] }
        if let last = lastHeadings[index], headingFilter > 0, new.angle(from: last) < headingFilter
        {
            return []
        }
        lastHeadings[index] = new
        return [.heading(new)]
    }
}

extension LocationManagerState {
    /// The state of one of the manager's receivers.
    private struct ManagedReceiver {
        var model: ReceiverModel
        var hasFix = false
        /// The integrity of the receiver's last epoch that was tested while location updates were
        /// running; `nil` if there is none.
        var integrity: Integrity?
        /// The time from which the wait for a fix is measured. After a missing fix has been
        /// reported, it is a day in the future, so that the report is not repeated.
        var fixWaitStart: MonotonicInstant?
        /// The number from `sourcesToJoin()`; `nil` if the receiver's session is not joined.
        /// Updates with another number are ignored, because the session was left or joined again
        /// since.
        var join: Int?

        init(_ source: any DeviceSource, join: Int? = nil) {
            model = ReceiverModel(source, nil)
            self.join = join
        }

        var condition: ReceiverCondition { model.condition }

        /// Begins the wait for a fix, so that a missing fix is reported to a new run of updates even
        /// if an earlier run has already reported it.
        mutating func reportMissingFixAgain(at now: MonotonicInstant) {
            fixWaitStart = fixWaitStart.map { min($0, now) }
        }

        /// The time without an epoch after which a request names silence as the reason that it
        /// failed.
        private static let silenceLimit = Duration.seconds(10)

        /// The error of an open receiver from which no position data arrives; `nil` if some does,
        /// or if the receiver has another problem.
        func silence(at now: MonotonicInstant) -> DeviceError? {
            switch condition {
            case .silent(let device, _): return DeviceError(.silent, device: device)
            case .open(let device, nil):
                guard model.sendsUBX == nil, let opened = model.opened,
                    opened + Self.silenceLimit <= now
                else { return nil }
                return DeviceError(.silent, device: device)
            default: return nil
            }
        }

        /// Whether the source ended with an error before it was ever open. The next start tries
        /// again.
        var hasFailed: Bool {
            condition.hasEnded && condition.error != nil && !model.hasBeenOpen
        }

        /// Whether the source has ended after it was open, or without an error.
        var hasEnded: Bool { condition.hasEnded && !hasFailed }

        /// Resets the state when neither updates nor requests need the receiver. A receiver that
        /// has ended stays ended.
        mutating func forget() {
            let ended = condition.hasEnded ? model : nil
            self = ManagedReceiver(model.source)
            model = ended ?? model
        }
    }
}

extension LocationManagerState {
    /// The failure to report if the manager has no sources; `nil` if it has any.
    private var noSource: LocationError? {
        guard sources.isEmpty else { return nil }
        return LocationError(.ended, cause: DeviceError(.noReceiver, device: "none"))
    }

    /// The effects of a start if the manager has no sources, so that all of them have ended; `nil`
    /// if it has any.
    private var endWithoutSources: [Effect]? {
        noSource.map { error -> [Effect] in [.failure(error), .ended] }
    }

    /// Returns the problem that prevents all receivers from reporting a location. While a receiver
    /// is open, it is the problem of an open receiver; `nil` if an open receiver only has no fix.
    func cause(at now: MonotonicInstant) -> DeviceError? {
        let open = receivers.filter(\.condition.isOpen)
        if !open.isEmpty {
            let silences = open.compactMap { $0.silence(at: now) }
            return open.lazy.compactMap(\.condition.error).first
                ?? (silences.count == open.count ? silences.first : nil)
        }
        var cause: DeviceError?
        for (receiver, source) in zip(receivers, sources) {
            switch receiver.condition {
            case .waiting(let error), .lost(let error): cause = cause ?? error
            case .ended(let ending):
                cause = cause ?? ending.error ?? DeviceError(.ended, device: source.name)
            case .open, .silent, .searching: break
            }
        }
        // Without a cause, the error would suggest the antenna, but no device is open yet.
        return cause ?? sources.first.map { DeviceError(.notOpened, device: $0.name) }
    }

    /// Sets the authorization status if it is not determined yet. Returns effects that report the
    /// change.
    mutating func determineAuthorization(_ status: AuthorizationStatus) -> [Effect] {
        authorizationStatus == .notDetermined ? authorize(status) : []
    }

    /// Whether any receiver is open.
    private var hasOpen: Bool { receivers.contains(where: \.condition.isOpen) }

    /// Whether any open receiver has a fix and no problem, so that locations continue.
    var hasFix: Bool {
        receivers.contains { $0.condition.isOpen && $0.condition.error == nil && $0.hasFix }
    }
}

/// Identifies the runs of location and heading updates that a delegate call belongs to. A run lasts
/// until the updates are stopped. A call is dropped when all its runs have been stopped.
struct UpdateRun: Sendable {
    /// The kinds of updates. Locations and headings are started and stopped independently.
    enum Updates {
        case locations, headings, all
    }

    var locations: Int?
    var headings: Int?

    /// The value for the results of requests, which belong to no run.
    static let none = UpdateRun()
}

/// Checks whether a receiver may be opened, without opening it.
package enum ReceiverAccess {
    /// Returns the error of the first device file if the source has device files, and the file
    /// permissions allow reading none of them; otherwise, and for a receiver that is not plugged
    /// in, returns `nil`.
    package static func refusal(of source: any DeviceSource) -> DeviceError? {
        var first: DeviceError?
        for part in source.parts {
            let paths = paths(of: part)
            guard !paths.isEmpty else { return nil }
            for path in paths {
                guard let error = refusal(toRead: path) else { return nil }
                first = first ?? error
            }
        }
        return first
    }

    private static func paths(of source: any DeviceSource) -> [String] {
        if source.identity == .anyReceiver { return DeviceDiscovery.receivers().map(\.path) }
        let name = source.ttyPath ?? source.name
        // Other names, such as that of a server, are not paths.
        let isPath = name.hasPrefix("/") || source is FileSource || source is PipeSource
        return isPath ? [name] : []
    }

    private static func refusal(toRead path: String) -> DeviceError? {
        guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0 else { return nil }
        let number = errno
        guard number == EACCES || number == EPERM else { return nil }
        return DeviceError.opening(path, errno: number)
    }
}

/// How a `LocationManager` combines several receivers.
public struct ReceiverCombination: Sendable {
    /// The positions of the antennas, in the order of the sources; `nil` if the receivers are not
    /// compared.
    private let antennas: [LeverArm?]?

    /// The locations of all receivers are reported.
    public static let separate = ReceiverCombination(antennas: nil)

    /// The receivers' fixes of each epoch are compared. The location is the unchanged location of
    /// the most accurate receiver among those that agree. `location.fix.vote` contains the result.
    public static let consensus = ReceiverCombination(antennas: [])

    /// Returns a consensus that takes the distances between antennas into account. `antennas`
    /// contains their positions in the order of the sources, with `nil` for an unknown position.
    public static func consensus(antennas: [LeverArm?]) -> ReceiverCombination {
        ReceiverCombination(antennas: antennas)
    }

    private init(antennas: [LeverArm?]?) { self.antennas = antennas }

    /// Returns the sources that a manager reads instead of `sources`: one `ConsensusSource`, or
    /// `sources` themselves.
    package func sources(_ sources: [any DeviceSource]) -> [any DeviceSource] {
        guard let antennas, !sources.isEmpty else { return sources }
        let members = zip(sources, sources.distinctNames).enumerated().map { index, member in
            ConsensusSource.Member(
                member.0, name: member.1,
                antenna: antennas.indices.contains(index) ? antennas[index] : nil)
        }
        return [ConsensusSource(members)]
    }
}
