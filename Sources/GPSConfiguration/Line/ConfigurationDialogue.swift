// SPDX-License-Identifier: MIT
import GNSS
public import GPSReceivers

/// Runs a configuration session on an open line that other consumers also read.
struct ConfigurationDialogue: LineDialogue {
    private let request: ConfigurationRequest
    private let folder: JournalFolder?
    private var journal: JournalFile?
    private let report: @Sendable (ConfigurationProgress) -> Void
    private var session: ConfigurationSession?
    private var failure: DeviceError?
    private var outcome: ConfigurationOutcome?

    init(
        _ request: ConfigurationRequest, journals folder: JournalFolder?,
        _ report: @escaping @Sendable (ConfigurationProgress) -> Void
    ) {
        (self.request, self.folder, self.report) = (request, folder, report)
    }

    var waitsForAccess: Bool { false }

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
        // A receiver with built-in USB reconnects after a restart. The session then continues.
        case .opened(let device, let line) where session == nil:
            journal = folder?.file(for: device)
            session = ConfigurationSession(
                request,
                line: ConfigurationLine(
                    baudRate: line.baudRate?.rawValue, isNativeUSB: line.isNativeUSB))
        case .bytes(let bytes): session?.receive(bytes, at: now)
        case .failed(let error): failure = error
        case .lost:
            if session?.hasOnlyAsked == true { session = nil }
            report(.lost)
        case .opened, .woke: break
        }
    }

    mutating func next(at now: MonotonicInstant) -> LineDialogueAction? {
        guard failure == nil, outcome == nil else { return .finish }
        while let output = session?.next(at: now) {
            switch output {
            case .write(let bytes): return .write(bytes)
            case .setLineRate(let rate): return BaudRate(rawValue: rate).map { .set($0) }
            case .journal(let entry):
                guard let journal else { continue }
                return .perform { () throws(DeviceError) in try journal.store(entry) }
            case .progress(let progress): report(progress)
            case .restartExpected: continue
            case .finished(let outcome):
                self.outcome = outcome
                return .finish
            }
        }
        return nil
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
}

extension ReceiverSession {
    /// Undoes an interrupted change to the receiver at `device`. Returns a message for the user;
    /// `nil` if no change was interrupted.
    package func finishRollback(at device: String, _ folder: JournalFolder = .default) async
        -> String?
    {
        do {
            guard let interrupted = try folder.file(for: device).load() else { return nil }
            var request = ConfigurationRequest()
            request.journal = interrupted
            switch try await configure(request, journals: folder) {
            case .done: return "\(device): undid an interrupted change to its settings"
            case .failed(let error, _):
                return "\(device): could not undo an interrupted change to its settings: \(error)"
            }
        } catch {
            return "\(device): could not undo an interrupted change to its settings: \(error)"
        }
    }
}

extension DeviceSource {
    /// Configures the receiver of this source. Managers and other consumers of this process that
    /// read it continue to receive updates.
    ///
    /// - Throws: `ConfigurationError`. If its code is `.silenced`, the receiver may still have new
    ///   settings. With other codes, nothing was changed, or the previous settings are in effect
    ///   again.
    public func configure(
        _ request: ConfigurationRequest,
        progress: @escaping @Sendable (ConfigurationProgress) -> Void = { _ in }
    ) async throws(ConfigurationError) -> ConfigurationReport {
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
