// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import NMEA
import Testing

/// Dialogues with a receiver while other consumers read it.
@Suite(.timeLimit(.generous))
struct LineDialogueTests {
    /// Changes the rate of a MediaTek receiver, and returns to the previous one if no sentence
    /// follows.
    private struct RateChange: LineDialogue {
        private enum State { case closed, changing, verifying, returning, done }

        let rate: BaudRate
        /// How long it waits for a sentence at the new rate.
        let patience: Duration
        private var former = BaudRate.default
        private var state = State.closed
        private var actions: [LineDialogueAction] = []
        private(set) var text = ""
        private(set) var wakeAt: MonotonicInstant?
        private(set) var hasReturned = false

        init(to rate: BaudRate, patience: Duration = .seconds(2)) {
            (self.rate, self.patience) = (rate, patience)
        }

        mutating func receive(_ event: LineDialogueEvent, at now: MonotonicInstant) {
            switch (event, state) {
            case (.opened(_, let line), .closed):
                former = line.baudRate ?? .default
                actions = [
                    .write(command), .set(rate),
                ]
                state = .changing
                wakeAt = now + patience
            case (.bytes(let bytes), .changing), (.bytes(let bytes), .returning):
                text += String(decoding: bytes, as: UTF8.self)
                if text.split(separator: "\n").contains(where: { $0.hasPrefix("$GNRMC") }) {
                    actions.append(.finish)
                }
            case (.woke, .changing):
                (state, wakeAt, text, hasReturned) = (.returning, nil, "", true)
                actions.append(.set(former))
            default: break
            }
        }

        mutating func next(at now: MonotonicInstant) -> LineDialogueAction? {
            guard !actions.isEmpty else { return nil }
            let action = actions.removeFirst()
            // Bytes before that were received at the previous rate.
            if case .set = action { text = "" }
            return action
        }

        private var command: [UInt8] {
            var writer = SentenceWriter()
            writer.write(body: "PMTK251,\(rate)")
            return writer.bytes
        }
    }

    @Test(arguments: [false, true])
    func `a dialogue changes the rate, or returns to the previous one, while a manager reads on`(
        ignoresCommands: Bool
    ) async throws {
        let receiver = try RatedReceiver(9600)
        let pool = ReceiverPool()
        let manager = LocationManager(
            sources: [.serial(receiver.path)], queue: nil, member: SessionMember(), pool: pool)
        let locations = manager.didUpdateLocations
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        let sending = Task(executorPreference: Poller.shared) {
            await receiver.sendEpochs(ignoresCommands: ignoresCommands)
        }
        for await _ in locations.prefix(1) {}
        let rate = try #require(BaudRate(rawValue: 38_400))
        // A receiver that follows the command may take any time on a busy machine.
        let change = RateChange(to: rate, patience: .seconds(ignoresCommands ? 2 : 3600))
        let dialogue = try await pool.session(for: .serial(receiver.path)).conduct(change)
        #expect(dialogue.hasReturned == ignoresCommands)
        #expect(receiver.hostRate == (ignoresCommands ? 9600 : 38_400))
        for await _ in manager.didUpdateLocations.prefix(3) {}
        receiver.stop()
        await sending.value
    }

    @Test func `a file has no dialogue`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", Array("$GNRMC\r\n".utf8))
        let session = ReceiverPool().session(for: .file(path))
        await #expect(throws: DeviceError.self) {
            _ = try await session.conduct(RateChange(to: .default))
        }
    }

    @Test func `a dialogue ends if another program has the tty`() async throws {
        let receiver = try RatedReceiver(9600)
        let holder = try await SerialSource(receiver.path).open()
        defer { holder.close() }
        let session = ReceiverPool().session(for: .serial(receiver.path))
        do {
            _ = try await session.conduct(RateChange(to: .default))
            Issue.record("the dialogue has not failed")
        } catch {
            #expect(error.code == .busy)
        }
    }

    @Test func `a dialogue may wait until another program has closed the tty`() async throws {
        let receiver = try RatedReceiver(9600)
        let holder = try await SerialSource(receiver.path).open()
        let session = ReceiverPool().session(for: .serial(receiver.path))
        let dialogue = Task {
            try await session.conduct(RateChange(to: .default), waiting: .always)
        }
        let (refused, opened) = (Promise<Void>(), Promise<Void>())
        let subscription = session.join { update in
            switch update {
            case .condition(.waiting, _): refused.fulfill(())
            case .condition(.open, _): opened.fulfill(())
            default: break
            }
        }
        defer { subscription.dispose() }
        try await refused.value
        holder.close()
        try await opened.value
        dialogue.cancel()
        await #expect(throws: DeviceError(.cancelled, device: receiver.path)) {
            _ = try await dialogue.value
        }
    }

    @Test func `a dialogue ends if its device is not a tty`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("file", [])
        let session = ReceiverPool().session(for: .serial(path))
        do {
            _ = try await session.conduct(RateChange(to: .default))
            Issue.record("the dialogue has not failed")
        } catch {
            #expect(error.code == .notADevice)
        }
    }

    @Test func `a dialogue ends when its task is cancelled`() async throws {
        let receiver = try RatedReceiver(9600)
        let session = ReceiverPool().session(for: .serial(receiver.path))
        let dialogue = Task { try await session.conduct(RateChange(to: .default)) }
        await receiver.waitForReader()
        dialogue.cancel()
        await #expect(throws: DeviceError(.cancelled, device: receiver.path)) {
            _ = try await dialogue.value
        }
    }
}
