// SPDX-License-Identifier: MIT
import Delegation
package import GNSS
package import GPSIO
import Synchronization

extension ReceiverSession {
    /// The maximum time to wait for the result of a baud rate search. After that, the dialogue
    /// starts at the line's current rate.
    private static let rateSearchTimeout = Duration.seconds(15)

    /// Executes a dialogue until it finishes, and returns its final state. Other consumers continue
    /// to receive updates. If the receiver is missing or was lost, waits for it.
    ///
    /// A receiver has only one dialogue at a time. Other dialogues wait for their turn, even while
    /// the receiver restarts. After the receiver was lost, another session may open it first; this
    /// session then shares that session's tty. In this case, the dialogue waits until the other
    /// session's dialogue has ended.
    ///
    /// During the dialogue, the baud rate search stays at the rate that the dialogue sets. It
    /// continues afterwards if no messages are received.
    ///
    /// Throws `.notControllable` if the source is not a serial line, the source's error if it has
    /// ended, or `.cancelled`. Before the dialogue has begun, also throws the error of opening the
    /// receiver if `policy` does not wait, for example if another program has it open.
    package func conduct<Dialogue: LineDialogue>(
        _ dialogue: Dialogue, waiting policy: WaitPolicy = .whileMissing
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
            try await conduct(dialogue, policy, inbox)
        }
    }

    private func conduct<Dialogue: LineDialogue>(
        _ dialogue: Dialogue, _ policy: WaitPolicy, _ inbox: DialogueInbox
    ) async throws(DeviceError) -> Dialogue {
        var dialogue = dialogue
        var line: ControllableLine?
        var opening: (device: String, limit: MonotonicInstant)?
        var turn: DialogueTurn?
        var hasBegun = false
        defer {
            if dialogue.hasChangedReceiver { line?.setReconfigured() }
            line?.setDialogue(isActive: false)
            turn?.end()
        }
        while true {
            for event in inbox.removeAll() {
                switch event {
                case .opened(let device, _): opening = (device, poller.now + Self.rateSearchTimeout)
                case .lost:
                    (line, opening) = (nil, nil)
                    dialogue.receive(event, at: poller.now)
                default: if line != nil { dialogue.receive(event, at: poller.now) }
                }
            }
            if opening != nil, self.line == nil {
                throw DeviceError(.notControllable, device: source.name)
            }
            let condition = inbox.condition
            if case .ended(let ending) = condition {
                // Only recordings and streams end without an error.
                throw ending.error ?? DeviceError(.notControllable, device: source.name)
            }
            let refusal = policy.failure(in: condition, of: source, wasUsable: hasBegun)
            if let refusal { throw refusal }
            var waitsForTurn = false
            if let (device, limit) = opening, let opened = self.line,
                !opened.hasBaudRate || opened.knownBaudRate != nil || limit <= poller.now
            {
                // After a reconnection, another session may own the line, and with it another turn.
                if turn !== opened.turn {
                    turn?.end()
                    turn = nil
                }
                waitsForTurn = turn == nil && !opened.turn.begin(or: inbox.wakeUp)
                if !waitsForTurn {
                    (turn, hasBegun) = (opened.turn, true)
                    (line, opening) = (opened, nil)
                    begin(&dialogue, on: opened, device)
                }
            }
            while let action = dialogue.next(at: poller.now) {
                if case .finish = action { return dialogue }
                let failure = await perform(action, on: line)
                // The data may change before the dialogue ends.
                if dialogue.hasChangedReceiver { line?.setReconfigured() }
                // These bytes were received at the previous baud rate.
                if case .set = action { inbox.removeBytes() }
                guard let failure else { continue }
                dialogue.receive(.failed(failure), at: poller.now)
            }
            let deadline =
                waitsForTurn
                ? nil : opening.map { min($0.limit, dialogue.wakeAt ?? $0.limit) }
            if await !inbox.wakeUp.wait(until: deadline ?? dialogue.wakeAt) {
                guard !Task.isCancelled else { throw DeviceError(.cancelled, device: source.name) }
                dialogue.receive(.woke, at: poller.now)
            }
        }
    }

    private func begin(
        _ dialogue: inout some LineDialogue, on line: ControllableLine, _ device: String
    ) {
        line.setDialogue(isActive: true)
        let known = line.knownBaudRate
        let baudRate = line.hasBaudRate ? known ?? line.connection.baudRate : nil
        var opened = DialogueLine(baudRate: baudRate, isNativeUSB: line.isNativeUSB)
        if known == nil { opened.searchedRates = line.connection.search?.rates ?? [] }
        dialogue.receive(.opened(device: device, opened), at: poller.now)
    }

    private func perform(
        _ action: LineDialogueAction, on line: ControllableLine?
    ) async -> DeviceError? {
        // Without a line, the dialogue has already received the event `.lost`.
        guard let line else { return nil }
        do throws(DeviceError) {
            switch action {
            case .write(let bytes): try await line.connection.write(bytes)
            case .set(let rate): try await line.change(to: rate)
            case .perform(let work): try await BackgroundExecutor.run(work)
            case .finish: break
            }
            return nil
        } catch {
            return error.code == .disconnected || error.code == .cancelled ? nil : error
        }
    }
}

extension ReceiverSession {
    /// The result of a write outside a dialogue.
    package enum WriteResult: Sendable {
        /// All bytes have been sent, at this baud rate; `nil` if the line has none.
        case written(BaudRate?)
        /// A dialogue uses the line, and may change its baud rate.
        case inUse
        /// The receiver is not open, or its baud rate is not known yet.
        case notOpen
    }

    /// Writes bytes that need no reply, unless a dialogue uses the line. In this case, signals
    /// `wakeUp` when the dialogue ends. Call it on the polling thread.
    ///
    /// Throws `.permissionDenied` if the line is open for reading only.
    package func write(
        _ bytes: [UInt8], orSignal wakeUp: WakeUp
    ) async throws(DeviceError) -> WriteResult {
        guard let line, !line.hasBaudRate || line.knownBaudRate != nil else { return .notOpen }
        guard line.turn.begin(or: wakeUp) else { return .inUse }
        defer { line.turn.end() }
        do throws(DeviceError) {
            try await line.connection.write(bytes)
            return .written(line.hasBaudRate ? line.knownBaudRate : nil)
        } catch {
            guard error.code == .permissionDenied else { return .notOpen }
            throw error
        }
    }
}

/// A queue of the events that a dialogue has not processed yet.
private final class DialogueInbox: Sendable {
    /// The maximum number of queued events. When it is reached, further bytes are dropped. A
    /// dialogue must tolerate this, because a noisy line also loses bytes.
    private static let limit = 1024

    private struct State {
        var events: [LineDialogueEvent] = []
        var condition = ReceiverCondition.searching
    }

    let wakeUp: WakeUp
    private let state = Mutex(State())

    /// The last condition of the receiver.
    var condition: ReceiverCondition { state.withLock { $0.condition } }

    init(_ wakeUp: WakeUp) { self.wakeUp = wakeUp }

    func add(_ event: LineDialogueEvent) {
        state.withLock { state in
            if case .bytes = event, state.events.count >= Self.limit { return }
            state.events.append(event)
        }
        wakeUp.signal()
    }

    func receive(_ update: ReceiverUpdate) {
        if case .condition(let condition, _) = update {
            state.withLock { $0.condition = condition }
        }
        switch update {
        case .condition(.open(let device, nil), let former) where !former.isOpen:
            add(.opened(device: device, DialogueLine(baudRate: nil, isNativeUSB: false)))
        case .condition(.lost(let error), _): add(.lost(error))
        // The baud rate search may have ended, so the dialogue may be able to start.
        case .condition(.waiting, _), .condition(.ended, _), .notice, .epoch: wakeUp.signal()
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

/// Ensures that only one `LineDialogue` at a time is conducted with a receiver. The others wait for
/// their turn.
final class DialogueTurn: Sendable {
    /// The dialogues that wait for the end of the current turn; `nil` if no dialogue has the turn.
    private let waiting = Mutex<[WakeUp]?>(nil)

    /// Begins a turn and returns `true`. If another dialogue has the turn, returns `false` and
    /// signals `wakeUp` when that turn ends.
    func begin(or wakeUp: WakeUp) -> Bool {
        waiting.withLock { waiting in
            if waiting == nil {
                waiting = []
                return true
            }
            if waiting?.contains(where: { $0 === wakeUp }) == false { waiting?.append(wakeUp) }
            return false
        }
    }

    /// Ends the current turn and signals all waiting dialogues.
    func end() {
        for wakeUp in waiting.withLock({ exchange(&$0, with: nil) }) ?? [] { wakeUp.signal() }
    }
}

/// A dialogue with a receiver: the requests to send, and the detection of their replies among the
/// receiver's other output. It is a value without a clock, a task or a descriptor;
/// `ReceiverSession.conduct(_:)` executes it.
package protocol LineDialogue: Sendable {
    /// Processes an event. Afterwards, `next(at:)` is called until it returns `nil`.
    mutating func receive(_ event: LineDialogueEvent, at now: MonotonicInstant)
    /// Returns the next action to execute; `nil` means to wait for an event.
    mutating func next(at now: MonotonicInstant) -> LineDialogueAction?
    /// The time at which to send `.woke` if no other event arrives before; `nil` to wait without a
    /// limit.
    var wakeAt: MonotonicInstant? { get }
    /// Whether the dialogue has written a request that may change the receiver's settings or reset
    /// it. The integrity tests then do not compare later data with earlier data.
    var hasChangedReceiver: Bool { get }
}

extension LineDialogue {
    /// The default: `false`, for a dialogue that changes no settings.
    package var hasChangedReceiver: Bool { false }
}

/// An event of an open line during a dialogue.
package enum LineDialogueEvent: Sendable {
    /// The line has been opened or reopened. The dialogue may send requests.
    case opened(device: String, DialogueLine)
    /// Bytes were received: replies and other messages, split at any point.
    case bytes([UInt8])
    /// The device was disconnected, for example by a restart of a receiver with built-in USB.
    case lost(DeviceError)
    /// An action has failed; the line is still open.
    case failed(DeviceError)
    /// The time `wakeAt` has been reached.
    case woke
}

/// The properties of the line that a dialogue uses.
package struct DialogueLine: Equatable, Sendable {
    /// The baud rate at which messages are received or, if none have been received, the line's
    /// current one; `nil` if the line has no baud rate.
    package let baudRate: BaudRate?
    /// Whether the line is the receiver chip's own USB port, which has no baud rate.
    package let isNativeUSB: Bool
    /// The baud rates at which no messages have been received; empty if some have been.
    package var searchedRates: [BaudRate] = []
}

/// An action that a dialogue requests.
package enum LineDialogueAction: Sendable {
    /// Write bytes and wait until they have been sent.
    case write([UInt8])
    /// Set this computer's side of the line to another baud rate. The receiver must already have
    /// received the command to change to it.
    case set(BaudRate)
    /// Run the closure on a background thread, for example to write a file, and wait until it
    /// returns.
    case perform(@Sendable () throws(DeviceError) -> Void)
    /// End the dialogue.
    case finish
}
