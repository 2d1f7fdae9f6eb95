// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import Synchronization

extension ReceiverSession {
    /// The time after which a line without messages is passed to a dialogue.
    private static let rateLimit = Duration.seconds(15)

    /// Carries out a dialogue until it finishes, and returns it. Other consumers keep receiving
    /// updates. Waits for a receiver that is not plugged in; one that is lost may come back.
    ///
    /// The search for the line's rate stays at the rate that the dialogue sets. It continues
    /// afterwards if no messages are received.
    ///
    /// Throws `.notControllable` for a source that is not a serial line, the error of a source that
    /// has ended, and `.cancelled`.
    package func conduct<Dialogue: LineDialogue>(
        _ dialogue: Dialogue
    ) async throws(DeviceError) -> Dialogue {
        let inbox: DialogueInbox
        do {
            inbox = DialogueInbox(try WakeUp())
        } catch {
            throw DeviceError(error, device: source.name)
        }
        let bytes = self.bytes.observe { inbox.add(.bytes($0)) }.scoped
        let updates = join { inbox.receive($0) }
        defer { withExtendedLifetime((bytes, updates)) {} }
        return try await withTaskExecutorPreference(poller) { () async throws(DeviceError) in
            try await conduct(dialogue, inbox)
        }
    }

    private func conduct<Dialogue: LineDialogue>(
        _ dialogue: Dialogue, _ inbox: DialogueInbox
    ) async throws(DeviceError) -> Dialogue {
        var dialogue = dialogue
        var line: ControllableLine?
        var opening: (device: String, limit: MonotonicInstant)?
        defer { line?.setDialogue(isActive: false) }
        while true {
            for event in inbox.removeAll() {
                switch event {
                case .opened(let device, _): opening = (device, poller.now + Self.rateLimit)
                case .lost:
                    (line, opening) = (nil, nil)
                    dialogue.receive(event, at: poller.now)
                default: if line != nil { dialogue.receive(event, at: poller.now) }
                }
            }
            // A short file may have ended already.
            if opening != nil, self.line == nil {
                throw DeviceError(.notControllable, device: source.name)
            }
            if let ending = inbox.ending { throw ending }
            if let (device, limit) = opening, let opened = self.line,
                !opened.hasBaudRate || opened.knownBaudRate != nil || limit <= poller.now
            {
                (line, opening) = (opened, nil)
                opened.setDialogue(isActive: true)
                let baudRate = opened.hasBaudRate ? opened.knownBaudRate ?? opened.baudRate : nil
                let line = DialogueLine(baudRate: baudRate, isNativeUSB: !opened.hasBaudRate)
                dialogue.receive(.opened(device: device, line), at: poller.now)
            }
            while let action = dialogue.next(at: poller.now) {
                if case .finish = action { return dialogue }
                let failure = await perform(action, on: line)
                // Received at the former rate.
                if case .set = action { inbox.removeBytes() }
                guard let failure else { continue }
                dialogue.receive(.failed(failure), at: poller.now)
            }
            let deadline = opening.map { min($0.limit, dialogue.wakeAt ?? $0.limit) }
            if await !inbox.wakeUp.wait(until: deadline ?? dialogue.wakeAt) {
                guard !Task.isCancelled else { throw DeviceError(.cancelled, device: source.name) }
                dialogue.receive(.woke, at: poller.now)
            }
        }
    }

    private func perform(
        _ action: LineDialogueAction, on line: ControllableLine?
    ) async -> DeviceError? {
        // The loss of the line follows as an event of its own.
        guard let line else { return nil }
        do throws(DeviceError) {
            switch action {
            case .write(let bytes): try await line.write(bytes)
            case .set(let rate): try await line.change(to: rate)
            case .perform(let work):
                try await withTaskExecutorPreference(BackgroundExecutor.shared) {
                    () async throws(DeviceError) in try work()
                }
            case .finish: break
            }
            return nil
        } catch {
            return error.code == .disconnected || error.code == .cancelled ? nil : error
        }
    }
}

/// The events that a dialogue has not processed yet.
private final class DialogueInbox: Sendable {
    /// The number of events; when more arrive, bytes are dropped, as on a noisy line.
    private static let limit = 1024

    private struct State {
        var events: [LineDialogueEvent] = []
        var ending: DeviceError?
    }

    let wakeUp: WakeUp
    private let state = Mutex(State())

    /// The reason why the source has ended.
    var ending: DeviceError? { state.withLock { $0.ending } }

    init(_ wakeUp: WakeUp) { self.wakeUp = wakeUp }

    func add(_ event: LineDialogueEvent) {
        state.withLock { state in
            if case .bytes = event, state.events.count >= Self.limit { return }
            state.events.append(event)
        }
        wakeUp.signal()
    }

    func receive(_ update: ReceiverUpdate) {
        switch update {
        case .condition(.open(let device, nil), let former) where !former.isOpen:
            add(.opened(device: device, DialogueLine(baudRate: nil, isNativeUSB: false)))
        case .condition(.lost(let error), _): add(.lost(error))
        case .condition(.ended(let ending), _):
            let error = ending.error ?? DeviceError(.ended, device: "")
            state.withLock { $0.ending = error }
            wakeUp.signal()
        // A step of the search for the rate may have been the last.
        case .notice, .epoch: wakeUp.signal()
        case .condition, .satellites: break
        }
    }

    func removeBytes() {
        state.withLock { state in
            state.events.removeAll { if case .bytes = $0 { true } else { false } }
        }
    }

    func removeAll() -> [LineDialogueEvent] {
        state.withLock { state in
            defer { state.events.removeAll(keepingCapacity: true) }
            return state.events
        }
    }
}
