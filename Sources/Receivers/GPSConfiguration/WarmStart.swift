// SPDX-License-Identifier: MIT
import Delegation
import GNSS
package import GNSSNavigation
import GPSIO
package import GPSReceivers
import NMEA
import Synchronization
import UBX

/// Shortens a receiver's time to first fix while other consumers read it. It stores the receiver's
/// navigation data every hour and when `run` ends. When the receiver is opened without a fix, it
/// sends the data back.
package final class WarmStart: Sendable {
    private struct State {
        /// The path of the open device; `nil` while the receiver is disconnected.
        var device: String?
        /// Whether the device was opened and `takeNewDevice` has not handled it yet.
        var isNew = false
        var opened: MonotonicInstant?
        /// The seconds from the opening of the device to the first fix; `nil` before the first fix.
        var firstFix: Double?
        /// Whether there is a first fix that `takeFirstFix` has not handled yet.
        var isFirstFixNew = false
        /// Whether the receiver already had a fix when it was opened, so that `firstFix` is not its
        /// time to first fix.
        var hadFix = false
        /// Whether the last epoch has a fix, and the receiver has not fallen silent since. Without
        /// a fix, the receiver's data would not be stored.
        var hasFix = false
        /// Whether the integrity monitor accepts the position: no warning and no alarm.
        var isTrusted = true
        /// Whether the receiver does not support warm start data. Only u-blox receivers of
        /// generation M8 and later do.
        var isUnsupported = false
        var transfer: WarmStartTransfer?

        /// The time to first fix; `nil` if it is not known, or if the receiver already had a fix.
        var measurement: WarmStartDialogue.FirstFix? {
            guard let firstFix, !hadFix else { return nil }
            return (firstFix, transfer.map { $0.acceptedCount + $0.unconfirmedCount > 0 } ?? false)
        }
    }

    /// The intervals at which the receiver's data is stored.
    package struct Intervals: Sendable {
        /// The time from the first fix until the data is first stored. After two minutes, a
        /// receiver usually has all orbits.
        package var first = Duration.seconds(120)
        /// The time between two later stores of the data.
        package var next = Duration.seconds(3600)

        /// Creates the default intervals.
        package init() {}
    }

    /// The maximum time to wait until the line is open and other dialogues have ended.
    private static let openingTime = Duration.seconds(20)

    private let session: ReceiverSession
    private let folder: JournalFolder
    private let clock: @Sendable () -> SynchronizedTime?
    private let intervals: Intervals
    private let report: @Sendable (String) -> Void
    private let navigation = NavigationCollector()
    /// The ephemerides from elsewhere; `nil` if there are none.
    private let others: OtherEphemerides?
    private let state = Mutex(State())

    /// Creates a warm start for the receiver of a session. `report` is called with messages for the
    /// user. `others` are ephemerides that do not come from receivers.
    package init(
        _ session: ReceiverSession, in folder: JournalFolder = .default,
        others: OtherEphemerides? = nil,
        clock: @escaping @Sendable () -> SynchronizedTime? = { .now },
        intervals: Intervals = Intervals(), report: @escaping @Sendable (String) -> Void
    ) {
        self.others = others
        (self.session, self.folder, self.clock, self.report) = (session, folder, clock, report)
        self.intervals = intervals
    }

    /// The messages that were sent to the receiver when it was last opened; `nil` if none were
    /// sent.
    package var transfer: WarmStartTransfer? { state.withLock { $0.transfer } }

    /// Runs until the task is cancelled. Before it returns, it stores the receiver's data.
    package func run() async {
        let wakeUp: WakeUp
        do {
            wakeUp = try WakeUp()
        } catch {
            let reason = DeviceError(error, device: session.source.name)
            return report("data for a warm start cannot be sent or stored: \(reason)")
        }
        let updates = session.join { [weak self] update in
            if self?.receive(update) == true { wakeUp.signal() }
        }
        let bytes = session.bytes.observe { [navigation] in navigation.push($0) }.scoped
        defer { withExtendedLifetime((updates, bytes)) {} }
        var due: MonotonicInstant?
        while !Task.isCancelled {
            if let device = takeNewDevice() {
                due = nil
                await restore(to: device)
            } else if takeFirstFix() {
                due = session.poller.now + intervals.first
            } else if let time = due, time <= session.poller.now {
                due = session.poller.now + intervals.next
                await collect()
            } else {
                _ = await wakeUp.wait(until: due)
            }
        }
        // A new task, because this one is cancelled.
        await Task(executorPreference: session.poller) { await self.collect() }.value
    }

    // MARK: The receiver

    /// Records an update. Returns whether `run` has something to do. Called on the polling thread.
    private func receive(_ update: ReceiverUpdate) -> Bool {
        let now = session.poller.now
        return state.withLock { state in
            if let device = update.openedDevice {
                state = State(device: device, isNew: true, opened: now)
                return true
            }
            switch update {
            case .condition(.lost, _), .condition(.ended, _): state.device = nil
            case .condition(.silent, _): state.hasFix = false
            case .epoch(let epoch):
                if epoch.fix.quality == .simulated { navigation.setSimulated() }
                state.hasFix = epoch.fix.mode > .noFix
                let integrity = epoch.fix.integrity?.state
                state.isTrusted = integrity != .warning && integrity != .alarm
                guard state.hasFix, state.firstFix == nil else { return false }
                state.firstFix = state.opened.map { now.seconds(since: $0) }
                state.isFirstFixNew = true
                return true
            case .condition, .notice, .satellites: break
            }
            return false
        }
    }

    private func takeNewDevice() -> String? {
        state.withLock { exchange(&$0.isNew, with: false) ? $0.device : nil }
    }

    /// Reports the time to first fix to the user. Returns whether there was a new first fix.
    private func takeFirstFix() -> Bool {
        let (isNew, device, firstFix) = state.withLock {
            (exchange(&$0.isFirstFixNew, with: false), $0.device, $0.measurement)
        }
        if let device, let firstFix, isNew {
            let data = firstFix.hasData ? "with" : "without"
            report(
                "\(device): the first fix arrived \(String(firstFix.seconds, decimals: 1)) s after "
                    + "the receiver was opened, \(data) stored data")
        }
        return isNew
    }

    private func restore(to device: String) async {
        await others?.update()
        do throws(DeviceError) {
            switch try await perform(.restore) {
            case .restored(let transfer):
                state.withLock { $0.transfer = transfer }
                report("\(device): \(transfer)")
            case .failed(.hasFix): state.withLock { $0.hadFix = true }
            case .failed(let obstacle):
                state.withLock { $0.isUnsupported = obstacle == .unsupported }
                report("\(device): data for a warm start was not sent: \(obstacle)")
            case .identified, .collected: break
            }
        } catch {
            guard error.code != .cancelled else { return }
            report("\(device): data for a warm start was not sent: \(error)")
        }
    }

    private func collect() async {
        let (device, firstFix) = state.withLock { state in
            let isUsable = state.hasFix && state.isTrusted && !state.isUnsupported
            return (isUsable ? state.device : nil, state.measurement)
        }
        guard let device else { return }
        do throws(DeviceError) {
            try await storeEphemerides()
            guard case .failed(let obstacle) = try await perform(.collect, firstFix),
                obstacle != .noFix
            else { return }
            report("\(device): data for a warm start was not stored: \(obstacle)")
        } catch {
            // When `run` ends, the data is stored once more.
            guard error.code != .cancelled else { return }
            report("\(device): data for a warm start was not stored: \(error)")
        }
    }

    /// The ephemerides that were received, and may not have been stored yet, for a real or for a
    /// simulated receiver.
    private func received(isSimulated: Bool, at time: UTCTime) -> AssistanceData {
        var data = AssistanceData()
        guard let now = AssistanceData.seconds(time) else { return data }
        let own = navigation.data
        if isSimulated || !own.isSimulated { data.merge(own, at: now) }
        if let others { data.merge(others.data(isSimulated: isSimulated, at: now), at: now) }
        return data
    }

    /// Adds the ephemerides that were received to those of other receivers.
    private func storeEphemerides() async throws(DeviceError) {
        guard let now = clock()?.time else { return }
        let isSimulated = navigation.data.isSimulated
        let new = received(isSimulated: isSimulated, at: now)
        guard !new.isEmpty else { return }
        let file = folder.ephemerides(isSimulated: isSimulated)
        try await BackgroundExecutor.run { () throws(DeviceError) in try file.add(new, at: now) }
    }

    private func perform(
        _ purpose: WarmStartSession.Purpose,
        _ firstFix: WarmStartDialogue.FirstFix? = nil
    ) async throws(DeviceError) -> WarmStartOutcome {
        let dialogue = WarmStartDialogue(
            purpose, in: folder, firstFix: firstFix,
            received: { self.received(isSimulated: $0, at: $1) },
            until: session.poller.now + Self.openingTime, clock: clock)
        return try await session.conduct(dialogue, waiting: .always).result()
    }
}

extension ReceiverSession {
    /// Sends ephemerides to the receiver, and what is stored for it, unless it has a fix.
    package func assist(
        with assistance: AssistanceData, in folder: JournalFolder = .default
    ) async throws(DeviceError) -> WarmStartOutcome {
        let dialogue = WarmStartDialogue(
            .restore, in: folder, assistance: assistance, until: poller.now + .seconds(20)
        ) { .now }
        return try await conduct(dialogue, waiting: .always).result()
    }

    /// Asks the receiver for its identity, and returns the data that is stored for it; `nil` if
    /// nothing is stored, or if the receiver does not answer.
    package func warmStartData(in folder: JournalFolder = .default) async -> WarmStartData? {
        let dialogue = WarmStartDialogue(.identify, in: folder, until: poller.now + .seconds(5)) {
            nil
        }
        do throws(DeviceError) {
            let outcome = try await conduct(dialogue, waiting: .always).result()
            guard case .identified(_, let data) = outcome else { return nil }
            return data
        } catch {
            return nil
        }
    }
}

/// Runs a warm start session on an open line that other consumers also read.
private struct WarmStartDialogue: LineDialogue {
    /// The seconds from the opening of the device to the first fix, and whether stored data had
    /// been sent to the receiver.
    typealias FirstFix = (seconds: Double, hasData: Bool)
    typealias Received = @Sendable (_ isSimulated: Bool, _ time: UTCTime) -> AssistanceData

    private let purpose: WarmStartSession.Purpose
    private let folder: JournalFolder
    private let firstFix: FirstFix?
    private let clock: @Sendable () -> SynchronizedTime?
    private var session: WarmStartSession?
    /// When to give up waiting for the line to open.
    private let deadline: MonotonicInstant
    private var opened: (device: String, line: ConfigurationLine)?
    private let usbSerialNumber = Loaded<String>()
    private var hasLookedUp = false
    private let stored = Loaded<WarmStartData>()
    /// Ephemerides that are sent instead of those in the folder; `nil` for those in the folder.
    private let assistance: AssistanceData?
    /// Returns the ephemerides that are sent beside those in the folder, to a real or to a simulated
    /// receiver.
    private let received: Received?
    private let ephemerides = Loaded<AssistanceData>()
    private var isLoading = false
    private var isStored = false
    private var failure: DeviceError?
    private var outcome: WarmStartOutcome?

    init(
        _ purpose: WarmStartSession.Purpose, in folder: JournalFolder,
        firstFix: FirstFix? = nil, assistance: AssistanceData? = nil,
        received: Received? = nil, until deadline: MonotonicInstant,
        clock: @escaping @Sendable () -> SynchronizedTime?
    ) {
        (self.purpose, self.folder, self.firstFix) = (purpose, folder, firstFix)
        (self.assistance, self.received) = (assistance, received)
        (self.deadline, self.clock) = (deadline, clock)
    }

    var wakeAt: MonotonicInstant? {
        guard outcome == nil, failure == nil else { return nil }
        guard let session else { return deadline }
        return session.wakeAt
    }

    /// Returns the outcome of the finished dialogue; `.failed(.interrupted)` if it has not
    /// finished.
    func result() throws(DeviceError) -> WarmStartOutcome {
        if let failure { throw failure }
        return outcome ?? .failed(.interrupted)
    }

    mutating func receive(_ event: LineDialogueEvent, at now: MonotonicInstant) {
        switch event {
        case .opened(let device, let line):
            opened = (device, ConfigurationLine(line))
        case .bytes(let bytes): session?.receive(bytes, at: now)
        case .failed(let error): failure = error
        case .lost: outcome = outcome ?? .failed(.interrupted)
        case .woke where session == nil && now >= deadline: outcome = .failed(.interrupted)
        case .woke: break
        }
    }

    mutating func next(at now: MonotonicInstant) -> LineDialogueAction? {
        while failure == nil, outcome == nil {
            if session == nil, let opened {
                guard hasLookedUp else { return lookUp(opened.device) }
                session = WarmStartSession(
                    purpose, line: opened.line, usbSerialNumber: usbSerialNumber.value,
                    clock: clock)
            }
            if isLoading {
                isLoading = false
                session?.didLoad(
                    stored.value, ephemerides.value ?? AssistanceData(), at: now)
            }
            switch session?.next(at: now) {
            case .write(let bytes): return .write(bytes)
            case .load(let receiver, let isSimulated):
                isLoading = true
                return .perform { [folder, stored, assistance, received, ephemerides, clock] in
                    stored.value = receiver.flatMap { folder.warmStart(of: $0).load() }
                    ephemerides.value =
                        assistance
                        ?? clock().map {
                            let new = received?(isSimulated, $0.time)
                            return folder.assistance(
                                isSimulated: isSimulated, at: $0.time, adding: new)
                        }
                }
            case .finished(let outcome): self.outcome = outcome
            case nil: return nil
            }
        }
        guard case .collected(let data)? = outcome, failure == nil, !isStored else {
            return .finish
        }
        isStored = true
        return store(data)
    }

    private mutating func lookUp(_ device: String) -> LineDialogueAction {
        hasLookedUp = true
        return .perform { [usbSerialNumber] () throws(DeviceError) in
            usbSerialNumber.value = DeviceDiscovery.device(at: device)?.serialNumber
        }
    }

    private func store(_ collected: WarmStartData) -> LineDialogueAction {
        var data = collected
        if let firstFix {
            if firstFix.hasData {
                data.firstFixes.withData = firstFix.seconds
            } else {
                data.firstFixes.withoutData = firstFix.seconds
            }
        }
        return .perform { [folder, data] () throws(DeviceError) in
            try folder.warmStart(of: data.receiver).store(data)
        }
    }

    /// A value that a background job sets and the dialogue reads.
    private final class Loaded<Value: Sendable>: Sendable {
        private let content = Mutex<Value?>(nil)

        var value: Value? {
            get { content.withLock { $0 } }
            set { content.withLock { $0 = newValue } }
        }
    }
}

extension JournalFolder {
    /// Returns the file with the warm start data of a receiver.
    package func warmStart(of receiver: WarmStartReceiver) -> WarmStartFile {
        let name = String(receiver.name.map { $0.isLetter || $0.isNumber ? $0 : "-" })
        return WarmStartFile(path: "\(path)/warm-start-\(name).toml")
    }
}

/// The file with a receiver's warm start data.
package struct WarmStartFile: Sendable {
    package let path: String

    /// Returns the stored data; `nil` if the file does not exist or is malformed.
    package func load() -> WarmStartData? {
        guard let bytes = RegularFile.contents(path) else { return nil }
        return try? WarmStartData(toml: String(decoding: bytes, as: UTF8.self))  // as if absent
    }

    /// Replaces the file atomically.
    package func store(_ data: WarmStartData) throws(DeviceError) {
        try StateFile.write(data.toml, to: path)
    }
}

extension SynchronizedTime {
    /// The time of the system's clock; `nil` while the clock is not synchronised.
    package static var now: SynchronizedTime? {
        guard let error = ClockSynchronization.maximumError, let time = SystemClock.now else {
            return nil
        }
        return SynchronizedTime(time, maximumError: error)
    }
}
