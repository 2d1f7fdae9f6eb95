// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import NMEA
import SimulatedDevices
import Testing

/// A receiver's line in simulated time: a burst per second with exact bit lengths.
private struct InventedLine {
    var baudRate: Int
    var burst: [UInt8]
    /// Seconds from opening to the first burst; negative within a burst.
    var phase: Double
    var period = 1.0
    var hasEighthBit = false

    /// Returns the duration of the search and the settings found; `nil` after a minute.
    func search(
        _ rates: [BaudRate] = BaudRate.common
    ) -> (seconds: Double, settings: LineSettings)? {
        let start = MonotonicInstant.now
        var listener = RateDetection(RateSearch(rates: rates), at: start)
        for piece in pieces(for: 60) {
            let time = start + .seconds(piece.due)
            while let deadline = listener.deadline, deadline < time {
                _ = listener.silence(at: deadline)
            }
            let heard = MisreadLine.read(
                piece.bytes, sentAt: baudRate, readAt: listener.settings.baudRate.rawValue)
            guard !heard.isEmpty else { continue }
            if listener.received(heard, at: time).step == .found {
                return (piece.due, listener.settings)
            }
        }
        return nil
    }

    /// The bytes of every ten milliseconds, as delivered by converters.
    private func pieces(for seconds: Double) -> [(due: Double, bytes: [UInt8])] {
        let size = max(1, baudRate / 1000)
        let bytes = hasEighthBit ? burst.map { $0 | 0x80 } : burst
        return stride(from: phase, to: seconds, by: period).flatMap { begin in
            stride(from: 0, to: bytes.count, by: size).map { first in
                let end = min(bytes.count, first + size)
                return (begin + Double(end * 10) / Double(baudRate), Array(bytes[first..<end]))
            }
        }.filter { $0.due >= 0 }
    }
}

/// RMC and GGA, about 140 bytes.
private let shortBurst = ScriptedReceiver.epoch(0)
/// The sentences that most receivers send.
private let longBurst =
    shortBurst
    + Array(
        """
        $GPGSA,A,3,07,02,26,27,09,04,15,,,,,,1.8,1.0,1.5*33\r
        $GPGSV,3,1,11,29,36,029,42,21,46,314,43,26,44,020,43,15,21,321,39*7D\r
        $GPGSV,3,2,11,18,26,314,40,09,57,170,44,06,20,229,37,10,26,084,37*77\r
        $GPGSV,3,3,11,07,,,26,02,30,190,41,04,22,158,40*44\r\n
        """.utf8)

@Suite(.timeLimit(.generous))
struct RateSearchTests {
    @Test(arguments: BaudRate.common)
    func `every common rate is found within ten seconds for any timing of the bursts`(
        rate: BaudRate
    ) throws {
        for burst in [shortBurst, longBurst] {
            for step in 0..<20 {
                let line = InventedLine(
                    baudRate: rate.rawValue, burst: burst, phase: Double(step) / 20 - 1)
                let found = try #require(line.search(), "phase \(line.phase)")
                #expect(found.settings == LineSettings(rate))
                #expect(found.seconds < 9.5, "phase \(line.phase), \(burst.count) bytes")
            }
        }
    }

    @Test(arguments: BaudRate.common)
    func `seven data bits and two stop bits are found in the same round`(rate: BaudRate) throws {
        for step in 0..<10 {
            let line = InventedLine(
                baudRate: rate.rawValue, burst: longBurst, phase: Double(step) / 10 - 1,
                hasEighthBit: true)
            let found = try #require(line.search())
            #expect(found.settings == LineSettings(rate, .sevenN2))
            #expect(found.seconds < 10)
        }
    }

    @Test func `seven data bits are found at a given rate`() throws {
        let line = InventedLine(
            baudRate: 4800, burst: longBurst, phase: -0.3, hasEighthBit: true)
        let found = try #require(line.search([.nmea]))
        #expect(found.settings == LineSettings(.nmea, .sevenN2))
    }

    @Test func `a false frame header before sentences does not show seven data bits`() {
        let start = MonotonicInstant.now
        var listener = RateDetection(RateSearch(rates: [.default]), at: start)
        // The rest of a frame whose beginning was missed looks like the header of an RTCM frame,
        // for whose end the sentences wait.
        let rest: [UInt8] = [0xD3, 0x00, 0xC8]
        #expect(listener.received(rest + shortBurst, at: start).bytes == rest + shortBurst)
        #expect(listener.received(shortBurst, at: start + .seconds(1)).step == .found)
        #expect(listener.settings == LineSettings(.default))
        let header: [UInt8] = [0xB5, 0x62, 0x01, 0x07]
        #expect(listener.received(header, at: start + .seconds(2)).bytes == header)
    }

    @Test func `a given rate is kept when the search starts again`() {
        let start = MonotonicInstant.now
        var listener = RateDetection(RateSearch(rates: [.nmea]), at: start)
        #expect(listener.received(shortBurst, at: start).step == .found)
        listener.restartSearch(at: start)
        for step in 0..<1000 {
            let noise = MisreadLine.read(shortBurst, sentAt: 9600, readAt: 4800)
            _ = listener.received(noise, at: start + .milliseconds(100 * step))
            #expect(listener.settings.baudRate == .nmea)
        }
    }

    @Test func `a saved rate is detected immediately`() throws {
        let rate = try #require(BaudRate(rawValue: 19_200))
        let line = InventedLine(baudRate: 19_200, burst: shortBurst, phase: 0.3)
        let found = try #require(line.search([rate] + BaudRate.common))
        #expect(found.seconds < 0.5)
    }

    @Test(arguments: [2.0, 5, 10])
    func `the rate of a slow receiver is found`(period: Double) throws {
        let line = InventedLine(
            baudRate: 4800, burst: shortBurst, phase: 0.7, period: period)
        let found = try #require(line.search())
        #expect(found.settings == LineSettings(.nmea))
    }

    @Test(arguments: [8.0, 10])
    func `the silence before the first burst shows that a receiver is slow`(phase: Double) throws {
        let line = InventedLine(
            baudRate: 38_400, burst: longBurst, phase: phase, period: 10)
        let found = try #require(line.search())
        #expect(found.settings.baudRate.rawValue == 38_400 && found.seconds < 40)
    }

    @Test func `a rate with a message is kept until the next one, ten seconds later`() throws {
        let sentence = shortBurst.prefix { $0 != 0x0A } + [0x0A]
        let line = InventedLine(
            baudRate: 9600, burst: Array(sentence), phase: 0.7, period: 10)
        let found = try #require(line.search())
        #expect(found.settings == LineSettings(.default) && found.seconds < 11)
    }

    @Test func `the rate of a continuously busy line is found`() throws {
        let line = InventedLine(
            baudRate: 4800, burst: longBurst, phase: -0.2,
            period: Double(longBurst.count) * 10 / 4800)
        let found = try #require(line.search())
        #expect(found.settings == LineSettings(.nmea) && found.seconds < 10)
    }

    @Test func `with noise the rate changes less and less often`() {
        let start = MonotonicInstant.now
        var listener = RateDetection(RateSearch(rates: BaudRate.common), at: start)
        var changes = 0
        var random = SystemRandomNumberGenerator()
        for step in 0..<3000 {
            let noise = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
            let (_, outcome) = listener.received(noise, at: start + .milliseconds(20 * step))
            if case .change = outcome { changes += 1 }
            #expect(outcome != .found)
        }
        #expect(changes > 9 && changes < 40)
    }

    @Test func `a search continues at the same pace after the machine was suspended`() {
        let start = MonotonicInstant.now
        var listener = RateDetection(RateSearch(rates: BaudRate.common), at: start)
        _ = listener.received([0xFC, 0x80], at: start)
        var now = start + .seconds(3600)
        _ = listener.received([0xFC, 0x80], at: now)
        while listener.roundCount == 0, let deadline = listener.deadline {
            #expect(now.duration(to: deadline) < .seconds(2))
            now = deadline
            _ = listener.silence(at: now)
        }
    }

    @Test func `a search that was held tries every rate, beginning with the current one`() {
        var now = MonotonicInstant.now
        var detection = RateDetection(RateSearch(rates: BaudRate.common), at: now)
        while detection.settings == LineSettings(.default), let deadline = detection.deadline {
            now = deadline
            _ = detection.silence(at: now)
        }
        detection.hold(true, at: now)
        detection.hold(false, at: now)
        var tried = [detection.settings.baudRate]
        while detection.roundCount == 0, let deadline = detection.deadline {
            let step = detection.silence(at: deadline)
            if case .change(let rate) = step, detection.roundCount == 0 { tried.append(rate) }
        }
        #expect(tried == [BaudRate.common[1], BaudRate.common[0]] + BaudRate.common.dropFirst(2))
    }

    @Test func `silence pauses the search until bytes arrive`() throws {
        let start = MonotonicInstant.now
        var listener = RateDetection(RateSearch(rates: BaudRate.common), at: start)
        var count = 0
        while let deadline = listener.deadline {
            _ = listener.silence(at: deadline)
            count += 1
            try #require(count < 100)
        }
        #expect(listener.settings == LineSettings(.default))
        #expect(listener.received(shortBurst, at: start + .seconds(3600)).step == .found)
    }
}

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

/// A source that gives a tty under a different name, like "any receiver".
private struct OtherName: DeviceSource {
    let serial: SerialSource
    let name = "another name"
    let identity = SourceIdentity.unique()
    var origin: DataOrigin { .live }

    func open() async throws(DeviceError) -> any DeviceConnection { try await serial.open() }
    func availability() -> (any DeviceAvailability)? { serial.availability() }
}

@Suite(.timeLimit(.generous))
struct SharedTTYTests {
    @Test func `one tty is read under two names in any order`() async throws {
        let receiver = try ScriptedReceiver()
        let serial = receiver.source
        for (first, second) in [
            (serial as any DeviceSource, OtherName(serial: serial) as any DeviceSource),
            (OtherName(serial: serial), serial),
        ] {
            let (one, other) = (LocationManager(source: first), LocationManager(source: second))
            let (ones, others) = (one.didUpdateLocations, other.didUpdateLocations)
            one.startUpdatingLocation()
            await receiver.waitForReader()
            await receiver.sendEpoch(1)
            await receiver.sendEpoch(2)
            for await _ in ones.prefix(1) {}
            other.startUpdatingLocation()
            await receiver.sendEpochs { _ = await collect(2, from: others) }
            #expect(other.location?.device == receiver.path)
            // The manager that opened it stops, and the other continues.
            one.stopUpdatingLocation()
            let rest = other.didUpdateLocations
            await receiver.sendEpochs { _ = await collect(2, from: rest) }
            other.stopUpdatingLocation()
            await receiver.waitUntilUnread()
        }
    }

    @Test func `loss and return of a shared tty are reported under both names`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let receiver = try ScriptedReceiver(link: link)
        let serial = SerialSource(link)
        let managers = [
            LocationManager(source: serial), LocationManager(source: OtherName(serial: serial)),
        ]
        let paused = managers.map(\.didPauseLocationUpdates)
        let resumed = managers.map(\.didResumeLocationUpdates)
        for manager in managers { await start([manager]) }
        receiver.unplug()
        for stream in paused { for await _ in stream.prefix(1) {} }
        let back = try ScriptedReceiver(link: link)
        for stream in resumed { for await _ in stream.prefix(1) {} }
        withExtendedLifetime(back) {}
    }

    @Test func `statistics of a shared tty are reported under both names`() async throws {
        let receiver = try ScriptedReceiver()
        let serial = receiver.source
        let managers = [
            LocationManager(source: serial), LocationManager(source: OtherName(serial: serial)),
        ]
        let statistics = managers.map(\.statistics)
        for manager in managers { manager.startUpdatingLocation() }
        await receiver.waitForReader()
        await receiver.sendEpochs {
            for stream in statistics { for await _ in stream.prefix(1) {} }
        }
        for manager in managers { manager.stopUpdatingLocation() }
    }

    @Test func `a shared tty is shared again after the session that holds it was reopened`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let pool = ReceiverPool()
        let holder = pool.session(for: receiver.source)
        let sharer = pool.session(for: OtherName(serial: receiver.source))
        let (openings, changes) = (Witness<Bool>(), Witness<String>())
        let held = holder.join { if case .condition(.open, _) = $0 { openings.note(true) } }
        _ = await openings.first(1)
        let shared = sharer.join { update in
            switch update {
            case .condition(.open, _): changes.note("open")
            case .condition(.lost, _): changes.note("lost")
            default: break
            }
        }
        _ = await changes.first(1)
        holder.reopen()
        #expect(await changes.first(3) == ["open", "lost", "open"])
        withExtendedLifetime((held, shared)) {}
    }
}
