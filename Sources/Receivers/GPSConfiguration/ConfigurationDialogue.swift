// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
public import GPSReceivers

/// Runs a configuration session on an open line that other consumers also read. If an earlier
/// change to the device was interrupted, undoes that change first. This order is necessary, because
/// the new change overwrites the journal that is needed to undo the earlier one.
struct ConfigurationDialogue: LineDialogue {
    private let request: ConfigurationRequest
    private let folder: JournalFolder?
    /// Whether to undo the change that the request's journal describes only if this journal is
    /// still stored. If it is not, another dialogue has already undone the change or completed it.
    private let mustBeStored: Bool
    /// Returns the key of the USB device at a path; `nil` if it is not known.
    private let identify: @Sendable (String) -> String?
    private var journal: DeviceJournal?
    private let report: @Sendable (ConfigurationProgress) -> Void
    /// The line for the next session; `nil` while the receiver is disconnected.
    private var line: ConfigurationLine?
    /// The baud rate at which messages were received when the line was opened.
    private var openedRate: Int?
    private var session: ConfigurationSession?
    /// The path of the device that was reopened during the session, until `DeviceJournal` has
    /// checked whether it is the same device; otherwise `nil`.
    private var returned: String?
    /// Whether the current session undoes an interrupted change. The session for `request` follows.
    private var isRecovering = false
    /// Whether nothing was done, because the request's journal was no longer stored.
    private(set) var isObsolete = false
    private(set) var hasChangedReceiver = false
    private var failure: DeviceError?
    private var outcome: ConfigurationOutcome?

    init(
        _ request: ConfigurationRequest, journals folder: JournalFolder?,
        mustBeStored: Bool = false,
        _ report: @escaping @Sendable (ConfigurationProgress) -> Void,
        identify: @escaping @Sendable (String) -> String? = { DeviceDiscovery.device(at: $0)?.key }
    ) {
        (self.request, self.folder, self.report) = (request, folder, report)
        (self.mustBeStored, self.identify) = (mustBeStored, identify)
    }

    var wakeAt: MonotonicInstant? { outcome == nil && failure == nil ? session?.wakeAt : nil }

    /// Returns the outcome of the finished dialogue.
    ///
    /// - Throws: The error of the line; `.cancelled` if the dialogue has not finished.
    func result() throws(DeviceError) -> ConfigurationOutcome {
        if let failure { throw failure }
        guard let outcome else { throw DeviceError(.cancelled, device: "") }
        return outcome
    }

    mutating func receive(_ event: LineDialogueEvent, at now: MonotonicInstant) {
        switch event {
        case .opened(let device, let line) where session == nil:
            journal = folder.map { DeviceJournal(in: $0, of: device, identify: identify) }
            self.line = ConfigurationLine(line)
            openedRate = line.baudRate?.rawValue
        // A receiver with built-in USB reconnects after a restart. The session then continues.
        case .opened(let device, _): returned = device
        case .bytes(let bytes): session?.receive(bytes, at: now)
        case .failed(let error): failure = error
        case .lost:
            returned = nil
            if session?.hasOnlyAsked ?? true { (session, line) = (nil, nil) }
            report(.lost)
        case .woke: break
        }
    }

    mutating func next(at now: MonotonicInstant) -> LineDialogueAction? {
        guard failure == nil, outcome == nil else { return .finish }
        if let device = returned {
            returned = nil
            if let journal { return .perform { journal.compare(device) } }
        }
        if let journal, journal.isReplaced {
            isRecovering = false
            session?.endBecauseReplaced()
        }
        if session == nil, let line {
            if let journal, journal.interrupted == nil { return .perform { journal.load() } }
            isObsolete = mustBeStored && (try? journal?.interrupted?.get()) != request.journal
            if isObsolete { return .finish }
            begin(on: line)
        }
        while let output = session?.next(at: now) {
            switch output {
            case .write(let bytes):
                if session?.isChanging == true { hasChangedReceiver = true }
                return .write(bytes)
            case .setLineRate(let rate):
                line?.baudRate = rate
                return BaudRate(rawValue: rate).map { .set($0) }
            case .journal(let entry):
                guard let journal else { continue }
                return .perform { () throws(DeviceError) in try journal.store(entry) }
            case .progress(let progress): report(progress)
            case .restartExpected: continue
            case .finished(let outcome):
                let outcome = namingJournal(outcome)
                guard isRecovering, let line else {
                    self.outcome = outcome
                    return .finish
                }
                if let action = endRecovery(outcome, on: line) { return action }
            }
        }
        return nil
    }

    /// Starts the session of the request, or a session that undoes an interrupted change.
    private mutating func begin(on line: ConfigurationLine) {
        var next = request
        isRecovering = false
        if request.journal == nil {
            switch journal?.interrupted {
            case .success(let interrupted?)?:
                next = ConfigurationRequest()
                next.journal = interrupted
                isRecovering = true
            case .failure(let error)?: report(.recovered(error))
            case .success(nil)?, nil: break
            }
        }
        session = ConfigurationSession(next, line: line)
    }

    /// Adds the path of the journal to an outcome with the error `.anotherReceiver`.
    private func namingJournal(_ outcome: ConfigurationOutcome) -> ConfigurationOutcome {
        guard isRecovering || request.journal != nil, let path = journal?.path,
            case .failed(let error, let rollback) = outcome, error.code == .anotherReceiver
        else { return outcome }
        let remedy = "plug that receiver in, or delete \(path)"
        return .failed(
            ConfigurationError(error.code, chip: error.chip, error.reason, remedy: remedy), rollback
        )
    }

    /// Reports the outcome of the recovery, and starts the session of the request. If a failed
    /// recovery has left the line at another baud rate, returns the action that sets the previous
    /// baud rate; otherwise `nil`.
    ///
    /// If the journal belongs to another receiver, a request that changes something ends with that
    /// error, because its own journal would replace the one that the other receiver needs.
    private mutating func endRecovery(
        _ outcome: ConfigurationOutcome, on line: ConfigurationLine
    ) -> LineDialogueAction? {
        isRecovering = false
        if case .failed(let error, _) = outcome, error.code == .anotherReceiver,
            !request.isReadOnly, !request.isDryRun
        {
            self.outcome = .failed(error, .unchanged)
            return .finish
        }
        var line = line
        defer { session = ConfigurationSession(request, line: line) }
        guard case .failed(let error, _) = outcome else {
            report(.recovered(nil))
            return nil
        }
        report(.recovered(error))
        guard let openedRate, openedRate != line.baudRate else { return nil }
        line.baudRate = openedRate
        self.line = line
        return BaudRate(rawValue: openedRate).map { .set($0) }
    }
}

extension ConfigurationLine {
    /// Converts the properties of the line of a dialogue.
    init(_ line: DialogueLine) {
        self.init(baudRate: line.baudRate?.rawValue, isNativeUSB: line.isNativeUSB)
        searchedRates = line.searchedRates.map(\.rawValue).sorted()
    }
}

extension ReceiverSession {
    /// Configures the receiver while other consumers read it.
    ///
    /// Throws the errors of `conduct(_:)`, and `.permissionDenied` if the tty can't be written.
    package func configure(
        _ request: ConfigurationRequest, journals folder: JournalFolder? = nil,
        _ report: @escaping @Sendable (ConfigurationProgress) -> Void = { _ in }
    ) async throws(DeviceError) -> ConfigurationOutcome {
        try await conduct(ConfigurationDialogue(request, journals: folder, report)).result()
    }

    /// Undoes an interrupted change to the receiver at `device`. Returns a message for the user;
    /// `nil` if there was nothing to undo.
    package func finishRollback(at device: String, _ folder: JournalFolder = .default) async
        -> String?
    {
        do {
            let stored = try await BackgroundExecutor.run { try folder.file(for: device).load() }
            guard let interrupted = stored else { return nil }
            return try await undo(interrupted, at: device, folder)
        } catch {
            return "\(device): could not undo an interrupted change to its settings: \(error)"
        }
    }

    /// Undoes the interrupted change that a journal describes. Returns a message for the user.
    ///
    /// Does nothing and returns `nil` if this journal is no longer stored when the dialogue begins.
    /// In that case, another dialogue has already undone the change, or the change was still in
    /// progress and has ended. Throws the errors of the line.
    package func undo(
        _ interrupted: ConfigurationJournal, at device: String, _ folder: JournalFolder
    ) async throws(DeviceError) -> String? {
        var request = ConfigurationRequest()
        request.journal = interrupted
        let dialogue = try await conduct(
            ConfigurationDialogue(request, journals: folder, mustBeStored: true) { _ in })
        if dialogue.isObsolete { return nil }
        switch try dialogue.result() {
        case .done: return "\(device): undid an interrupted change to its settings"
        case .failed(let error, _):
            return "\(device): could not undo an interrupted change to its settings: \(error)"
        }
    }
}

extension DeviceSource {
    /// Configures the receiver of this source. Managers and other consumers of this process that
    /// read it continue to receive updates.
    ///
    /// - Throws: `ConfigurationError`. After most errors, the receiver still has its previous
    ///   settings, or has them again. It may have new settings if it no longer answers (usually
    ///   `.silenced` or `.noAnswer`), if another receiver was connected (`.anotherReceiver`), if
    ///   the line failed during the change (`.unavailable`), or after a factory reset. A change
    ///   that was verified remains in effect if a later step fails, such as saving.
    public func configure(
        _ request: ConfigurationRequest,
        progress: @escaping @Sendable (ConfigurationProgress) -> Void = { _ in }
    ) async throws(ConfigurationError) -> ConfigurationResult {
        let outcome: ConfigurationOutcome
        do {
            outcome = try await ReceiverPool.shared.session(for: self)
                .configure(request, journals: .default, progress)
        } catch {
            throw ConfigurationError(.unavailable, "\(error)")
        }
        switch outcome {
        case .done(let report): return report
        case .failed(let error, _): throw error
        }
    }
}
