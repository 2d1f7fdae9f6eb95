// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSIntegrity

/// Reads connections, passes their bytes to a `Receiver`, and executes its outputs. It provides the
/// clock, the thread and the descriptor that a `Receiver` does not have.
///
/// A polled connection is read by a callback on the polling thread, without resuming a task for
/// each read. A source that can wait, such as a recording, is read by the session's task, line by
/// line: each line is processed when it is due and the consumers are ready.
// Safety: it is used only on the polling thread: by the session's task, by the callback of that
// task's reads, and by tasks that prefer that thread.
final class ReceiverDriver: @unchecked Sendable {
    /// Whether the bytes are a replay, according to the server that sends them.
    private enum Replay {
        case none
        /// All bytes were a replay until the server reported a change. Some later bytes may still
        /// be a replay. `.replay` has been passed to the receiver.
        case partial
        /// All bytes are a replay. `.replay` has been passed to the receiver.
        case complete
    }

    /// The longest pause of a recording, in seconds of recorded time, for which the other
    /// recordings of the same `ConsensusSource` wait.
    private static let longPause = 10.0

    private var receiver: Receiver
    private let session: ReceiverSession
    private var pace: ReplayPace?
    private var search: RateSearch?
    /// The number of connections that have been opened so far.
    private var openCount = 0
    /// The line settings to apply before the next read; `nil` if they do not change.
    private var settings: LineSettings?
    private var isAtEnd = false
    private var replay = Replay.none
    private var hasAlarm = false
    /// If only one device of a server is read: its path, as reported by the server on this
    /// connection. `nil` if all devices are read, or before the report.
    private var followedDevice: String?

    private var poller: Poller { session.poller }
    /// Whether messages have been received since the device was last opened.
    var hasMessages: Bool { receiver.hasMessages }

    /// The integrity of the receiver, which another driver of the session can continue.
    var integrity: IntegrityMonitor { receiver.integrity }

    /// Creates a driver. `integrity` is that of the session's previous driver, if it continues.
    init(_ session: ReceiverSession, integrity: IntegrityMonitor?) {
        self.session = session
        let source = session.source
        if source.origin == .replay { pace = ReplayPace(speed: source.replaySpeed) }
        receiver = Receiver(
            canWait: pace != nil || source.capabilities.contains(.pausing), at: session.poller.now)
        receiver.dropsAlarms = session.pool?.alarmPolicy == .drop
        receiver.authentication = session.pool?.authentication.map { ReceiverAuthentication($0) }
        guard let integrity else { return }
        receiver.integrity = integrity
        hasAlarm = integrity.integrity.state == .alarm
    }

    /// Reads a newly opened connection until its end.
    ///
    /// Throws the connection's errors, including `.cancelled` if the task is cancelled.
    func read(_ connection: any DeviceConnection) async throws(DeviceError) {
        (openCount, isAtEnd, settings) = (openCount + 1, false, nil)
        (replay, followedDevice) = (.none, nil)
        var opening = Receiver.Opening(
            device: connection.name, origin: OriginDetector(session.source))
        opening.isSerialLine = connection.serialLine != nil
        search = connection.serialLine?.search
        opening.search = search
        receive(.opened(opening))
        let server = connection as? GPSDConnection
        checkReplay(of: server)
        reportDevice(of: server)
        var polled = receiver.canWait ? nil : connection as? any PolledConnection
        if polled?.poller !== poller { polled = nil }
        while !isAtEnd {
            guard receiver.wantsBytes else {
                try await pause(connection.serialLine)
                continue
            }
            if let polled {
                try await polled.read(until: receiver.wakeAt) { self.take($0) }
                continue
            }
            switch try await connection.read(until: receiver.wakeAt) {
            case .bytes(let bytes) where receiver.canWait:
                pass(.bytes(bytes))
                try await advanceLineByLine()
                receiver.restartSilence(at: poller.now)
            case let input:
                checkReplay(of: server)
                let reported = server?.takeReported() ?? []
                for epoch in reported { receive(.reported(epoch)) }
                // The bytes are the sentences of these epochs.
                if reported.isEmpty { _ = take(input).completed() }
                checkReplayEnd(of: server)
                reportDevice(of: server)
            }
        }
    }

    /// Passes an input to the receiver and executes the outputs.
    func receive(_ input: consuming Receiver.Input) {
        pass(input)
        _ = advance().completed()
    }

    /// Passes `.replay` to the receiver when the server begins to send only a replay.
    private func checkReplay(of server: GPSDConnection?) {
        guard let server else { return }
        if !server.isReplay {
            if replay == .complete { replay = .partial }
        } else if replay != .complete {
            replay = .complete
            receive(.replay)
        }
    }

    /// Passes `.replayEnded` to the receiver when the server no longer sends a replay. Call it
    /// after the received bytes have been processed, because they may still belong to the replay.
    private func checkReplayEnd(of server: GPSDConnection?) {
        guard replay != .none, server?.hasNoReplay == true else { return }
        replay = .none
        receive(.replayEnded)
    }

    /// Reports that only one of the server's devices is read.
    private func reportDevice(of server: GPSDConnection?) {
        guard let device = server?.followedDevice, device != followedDevice else { return }
        followedDevice = device
        session.send(.notice(.oneDevice(device)))
    }

    private func updateInterest() {
        receiver.passesSentences = session.wantsSentences
        receiver.passesEncapsulated = session.encapsulated.hasObservers
        receiver.corrections = session.correctionSender?.status()
    }

    private func pass(_ input: consuming Receiver.Input) {
        updateInterest()
        let rate = receiver.knownBaudRate
        receiver.receive(input, at: poller.now, date: session.date())
        if rate != receiver.knownBaudRate { session.set(knownBaudRate: receiver.knownBaudRate) }
    }

    private func take(_ input: DeviceInput) -> Poller.HandlerResult {
        switch input {
        case .bytes(let bytes): pass(.bytes(bytes))
        case .silence: pass(.woke)
        case .end:
            isAtEnd = true
            return .end
        }
        return advance()
    }

    /// Executes the receiver's outputs. After an epoch, first lets other callbacks run if they wait
    /// for the polling thread.
    private func advance() -> Poller.HandlerResult {
        while let output = receiver.next() {
            perform(output)
            guard case .update(.epoch) = output, receiver.hasBytes, poller.hasSeveralHandlers
            else { continue }
            return .later { self.advance() }
        }
        session.processed.send(())
        return receiver.wantsBytes ? .again(until: receiver.wakeAt) : .end
    }

    private func perform(_ output: Receiver.Output) {
        switch output {
        case .set(let settings): self.settings = settings
        // Only `advanceLineByLine()` waits before a line; a live source cannot wait.
        case .line: break
        case .remember(let settings): search?.remember(settings)
        case .findOtherReader: findOtherReader()
        case .bytes(let bytes): session.bytes.send(bytes)
        case .beginning(let skipped): session.beginnings.send(skipped)
        case .sentence(let sentence): session.send(sentence: sentence)
        case .generated(let sentence):
            session.generated.send(sentence)
            session.send(sentence: sentence)
        case .encapsulated(let sentence): session.encapsulated.send(sentence)
        case .rejection(let rejection): session.send(rejection: rejection)
        case .update(let update):
            session.send(update)
            if case .epoch(let epoch) = update { reportAlarm(epoch) }
            if case .epoch = update { session.send(statistics: receiver.statistics) }
        }
    }

    /// Reports the beginning or the end of an integrity alarm.
    private func reportAlarm(_ epoch: ReceiverEpoch) {
        guard let integrity = epoch.fix.integrity, (integrity.state == .alarm) != hasAlarm else {
            return
        }
        hasAlarm.toggle()
        session.pool?.alarmChanges.send(AlarmChange(device: epoch.device, integrity: integrity))
    }

    /// Applies new line settings, or waits until reading may resume after a flood.
    private func pause(_ line: SerialConnection?) async throws(DeviceError) {
        if let settings {
            self.settings = nil
            try await line?.change(to: settings.baudRate)
            receive(.didSet(settings))
        } else if let end = receiver.wakeAt {
            try await sleep(until: end)
            receive(.woke)
        }
    }

    /// Executes the receiver's outputs. Waits before each line until it is due and the consumers
    /// are ready.
    private func advanceLineByLine() async throws(DeviceError) {
        while let output = receiver.next() {
            guard case .line(let line) = output else {
                perform(output)
                continue
            }
            session.processed.send(())
            if let due = pace?.due(line, now: poller.now) {
                let seconds = due.seconds(since: poller.now) * session.source.replaySpeed
                if seconds > Self.longPause { session.replay?.pause() }
                try await sleep(until: due)
            }
            if pace != nil { await session.replay?.waitForOthers(at: line) }
            await session.waitForConsumers()
            // Observers may have been added while this function waited.
            updateInterest()
            guard !Task.isCancelled else { throw DeviceError(.cancelled, device: receiver.device) }
        }
        session.processed.send(())
    }

    private func sleep(until deadline: MonotonicInstant) async throws(DeviceError) {
        guard await poller.sleep(until: deadline) == .timedOut else {
            throw DeviceError(.cancelled, device: receiver.device)
        }
    }

    /// Checks in the background whether another program also reads the tty.
    private func findOtherReader() {
        let (opening, device) = (openCount, receiver.device)
        Task(executorPreference: BackgroundExecutor.shared) { [poller, weak self] in
            let reader = TTYStatus.otherReader(of: device)
            await Task(executorPreference: poller) { [weak self] in
                guard let self, self.openCount == opening else { return }
                self.receive(.otherReader(reader))
            }.value
        }
    }
}
