// SPDX-License-Identifier: MIT
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import NMEA
import Testing

@Suite(.timeLimit(.generous))
struct RateSearchOnTTYTests {
    @Test(arguments: [4800, 38_400, 19_200])
    func `an unknown rate is found, and nothing is ever sent to the receiver`(
        rate: Int
    ) async throws {
        let receiver = try RatedReceiver(rate)
        let manager = LocationManager(source: .serial(receiver.path))
        let locations = manager.didUpdateLocations
        manager.startUpdatingLocation()
        async let transmission: Void = receiver.sendEpochs()
        for await _ in locations.prefix(3) {}
        receiver.stop()
        await transmission
        #expect(receiver.hostRate == rate)
        #expect(receiver.hostBytes == [])
    }

    @Test func `a given rate is not changed`() async throws {
        let receiver = try RatedReceiver(4800)
        let rate = try #require(BaudRate(rawValue: 115_200))
        let session = ReceiverPool().session(for: .serial(receiver.path, baudRate: rate))
        let updates = Witness<ReceiverUpdate>()
        let subscription = session.join { updates.note($0) }
        await updates.wait { $0.openedDevice != nil }
        for _ in 0..<30 {
            await receiver.send(ScriptedReceiver.epoch(0))
            _ = await Poller.shared.sleep(until: .now + .milliseconds(60))
        }
        #expect(receiver.hostRate == 115_200)
        withExtendedLifetime(subscription) {}
    }

    @Test func `bytes received at the previous rate do not count at the new one`() async throws {
        let receiver = try RatedReceiver(9600)
        let other = try #require(BaudRate(rawValue: 4800))
        let session = ReceiverPool().session(for: .serial(receiver.path, baudRate: .default))
        let epochs = Witness<Bool>()
        let subscription = session.join { if case .epoch = $0 { epochs.note(true) } }
        async let transmission: Void = receiver.sendEpochs()
        _ = await epochs.first(2)
        #expect(session.knownBaudRate == .default)
        receiver.stop()
        await transmission
        let line = try #require(session.line)
        try await line.change(to: other)
        #expect(receiver.hostRate == 4800)
        #expect(line.knownBaudRate == nil)
        withExtendedLifetime(subscription) {}
    }

    @Test func `the search after a new rate goes on although no byte arrives`() async throws {
        let receiver = try RatedReceiver(BaudRate.default.rawValue)
        let other = try #require(BaudRate(rawValue: 4800))
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        var source = SerialSource(receiver.path)
        source.poller = poller
        let session = ReceiverPool(poller: poller).session(for: source)
        let updates = Witness<ReceiverUpdate>()
        let subscription = session.join { updates.note($0) }
        await updates.wait { $0.openedDevice != nil }
        // After these sentences, which are no epoch, the read waits for a minute.
        var writer = SentenceWriter()
        for _ in 0..<3 { writer.write(body: "GPTXT,01,01,02,ANTSTATUS=OK") }
        await receiver.send(writer.bytes)
        let (now, soon) = (poller.now, poller.now + .seconds(2))
        await until { poller.nextDeadline.map { $0 > soon } == true }
        #expect(session.knownBaudRate == .default)
        let line = try #require(session.line)
        let change = Task { try await line.change(to: other) }
        await until { poller.nextDeadline.map { $0 < soon } == true }
        clock.advance(by: now.duration(to: try #require(poller.nextDeadline)))
        try await change.value
        for _ in 0..<20 { _ = await poller.sleep(until: poller.now) }
        #expect(try #require(poller.nextDeadline) < soon)
        withExtendedLifetime(subscription) {}
    }

    @Test func `a receiver whose rate changes is found again, and that is reported`()
        async throws
    {
        let receiver = try RatedReceiver(9600)
        let manager = LocationManager(source: .serial(receiver.path))
        let (locations, errors) = (manager.didUpdateLocations, manager.didFailWithError)
        manager.startUpdatingLocation()
        async let transmission: Void = receiver.sendEpochs()
        for await _ in locations.prefix(3) {}
        receiver.change(to: 57_600)
        // On a busy machine, silence may be reported before.
        for await error in errors where error.cause?.code == .notUnderstood { break }
        for await _ in manager.didUpdateLocations.prefix(2) {}
        receiver.stop()
        await transmission
        #expect(receiver.hostRate == 57_600)
    }
}
