// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import Synchronization

/// Runs a warm start session on an open line that other consumers also read.
struct WarmStartDialogue: LineDialogue {
    /// The seconds from the opening of the device to the first fix, and whether stored data had
    /// been sent to the receiver.
    typealias FirstFix = (seconds: Double, hasData: Bool)

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
    private var isLoading = false
    private var isStored = false
    private var failure: DeviceError?
    private var outcome: WarmStartOutcome?

    init(
        _ purpose: WarmStartSession.Purpose, in folder: JournalFolder,
        firstFix: FirstFix? = nil, until deadline: MonotonicInstant,
        clock: @escaping @Sendable () -> SynchronizedTime?
    ) {
        (self.purpose, self.folder, self.firstFix) = (purpose, folder, firstFix)
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
                session?.didLoad(stored.value, at: now)
            }
            switch session?.next(at: now) {
            case .write(let bytes): return .write(bytes)
            case .load(let receiver):
                isLoading = true
                return .perform { [folder, stored] () throws(DeviceError) in
                    stored.value = folder.warmStart(of: receiver).load()
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
