// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Glibc
import SimulatedDevices
import Synchronization
import Testing

/// Receivers that send a binary protocol instead of NMEA.
@Suite(.timeLimit(.generous))
struct BinaryProtocolTests {
    private static let text = Array("$GPTXT,01,01,02,ANTSTATUS=OK*3B\r\n".utf8)
    private static let proprietary = Array("$PSRF150,1*3E\r\n".utf8)
    private static let measurement = Array("$GPHDT,274.07,T*03\r\n".utf8)
    static let frames: [(BinaryProtocol, [UInt8])] = [
        (.ubx, [0xB5, 0x62, 0x01, 0x03, 0x02, 0x00, 0x05, 0x06, 0x11, 0x2D]),
        (.sirf, [0xA0, 0xA2, 0x00, 0x02, 0x0B, 0x06, 0x00, 0x11, 0xB0, 0xB3]),
        (.sbf, [0x24, 0x40, 0xF8, 0xCD, 0xA7, 0x0F, 0x0C, 0x00, 0x01, 0x02, 0x03, 0x04]),
        (.rtcm3, [0xD3, 0x00, 0x01, 0x00, 0x0A, 0x18, 0x8D]),
        (.dle, [0x10, 0x41, 0x10, 0x10, 0x22, 0x10, 0x03]),
    ]

    @Test(arguments: frames)
    func `a binary protocol is detected between text sentences for every chunking`(
        _ kind: BinaryProtocol, _ frame: [UInt8]
    ) {
        let bytes = Self.text + repeatElement(frame, count: 20).joined() + Self.proprietary
        for size in [1, 7, 1000] {
            var detector = BinaryProtocolDetector()
            for start in stride(from: 0, to: bytes.count, by: size) {
                detector.push(bytes[start..<min(bytes.count, start + size)])
            }
            #expect(detector.found == kind, "in pieces of \(size)")
        }
    }

    @Test(arguments: frames)
    func `a binary protocol is not reported beside sentences with measurements`(
        _ kind: BinaryProtocol, _ frame: [UInt8]
    ) {
        var detector = BinaryProtocolDetector()
        detector.push(Array(repeatElement(frame, count: 20).joined()))
        detector.push(Self.measurement)
        #expect(detector.found == nil)
    }

    @Test(arguments: [
        (BinaryProtocol.gpsd, Array(#"{"class":"TPV","mode":1}"#.utf8)),
        (.xml, Array("<?xml version=\"1.0\"?><gpx/>".utf8)), (.gzip, [0x1F, 0x8B, 0x08, 0x00]),
    ])
    func `the content of another file is detected at its beginning`(
        kind: BinaryProtocol, bytes: [UInt8]
    ) {
        var detector = BinaryProtocolDetector()
        for byte in bytes { detector.push([byte]) }
        #expect(detector.found == kind && kind.isOfFile)
        var later = BinaryProtocolDetector()
        later.push(Self.text + bytes)
        #expect(later.found == nil)
    }

    @Test func `noise is not a binary protocol`() {
        var generator = SystemRandomNumberGenerator()
        var detector = BinaryProtocolDetector()
        for _ in 0..<100 {
            detector.push((0..<1000).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
        #expect(detector.found == nil)
    }

    @Test func `a recording of binary frames ends with an error that names the protocol`()
        async throws
    {
        let bytes = Self.text + repeatElement(Self.frames[0].1, count: 20).joined()
        let manager = LocationManager(source: BytesSource(Array(bytes)))
        let error = await #expect(throws: LocationError.self) {
            try await manager.requestLocation()
        }
        #expect(error?.cause?.code == .binaryProtocol)
        #expect(error?.description.contains("sends UBX without positions: record it again") == true)
    }

    /// Sends frames until the body is done, and advances the clock in steps.
    private func withSendingReceiver(
        _ body: (String, SteppedClock, ReceiverPool) async throws -> Void
    ) async throws {
        let terminal = try PseudoTerminal()
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let frames = Array(repeatElement(Self.frames[0].1, count: 10).joined()) + Self.text
        let sending = Task(executorPreference: Poller.shared) {
            while !Task.isCancelled {
                await terminal.write(frames, whenFull: .drop)
                clock.advance(by: .milliseconds(300))
                _ = await Poller.shared.sleep(until: .now + .milliseconds(5))
            }
        }
        try await body(terminal.path, clock, ReceiverPool(poller: poller))
        sending.cancel()
        await sending.value
    }

    @Test func `a live binary receiver is reported once, also to later members`() async throws {
        try await withSendingReceiver { path, _, pool in
            let source = SerialSource(path, baudRate: .default)
            let (first, second) = (Witness<DeviceError>(), Witness<DeviceError>())
            let one = pool.join(source) { update in
                if case .condition(.open(_, let problem?), _) = update { first.note(problem) }
            }
            _ = await first.first(1)
            let other = pool.join(source) { update in
                if case .condition(.open(_, let problem?), _) = update { second.note(problem) }
            }
            let error = await second.first(1).first
            #expect(error?.code == .binaryProtocol)
            #expect(error?.description.contains("\(path) sends UBX without positions") == true)
            #expect(error?.description.contains("ubxtool -e NMEA") == true)
            #expect(first.all.count == 1)
            withExtendedLifetime((one, other)) {}
        }
    }

    @Test func `the error of a timed-out request names the protocol, and a delegate receives it`()
        async throws
    {
        try await withSendingReceiver { path, _, pool in
            let manager = LocationManager(
                sources: [SerialSource(path, baudRate: .default)], queue: nil,
                member: SessionMember(),
                pool: pool)
            let delegate = RecordingDelegate(of: manager)
            manager.startUpdatingLocation()
            await delegate.calls.wait { $0 == .failure(.deviceUnavailable) }
            let error = await #expect(throws: LocationError.self) {
                try await manager.requestLocation(timeout: .seconds(30))
            }
            #expect(error?.code == .timedOut)
            #expect(error?.cause?.code == .binaryProtocol)
        }
    }

    @Test func `updates that start after headings report the protocol again`() async throws {
        try await withSendingReceiver { path, _, pool in
            let manager = LocationManager(
                sources: [SerialSource(path, baudRate: .default)], queue: nil,
                member: SessionMember(),
                pool: pool)
            let delegate = RecordingDelegate(of: manager)
            func count() -> Int { delegate.calls.all.count { $0 == .failure(.deviceUnavailable) } }
            manager.startUpdatingHeading()
            while count() < 1, !Task.isCancelled { await Task.yield() }
            manager.startUpdatingLocation()
            while count() < 2, !Task.isCancelled { await Task.yield() }
        }
    }
}

@Suite(.timeLimit(.generous))
struct FloodTests {
    @Test func `a flood of noise is reported, read slowly and delays no other session`()
        async throws
    {
        let (flooding, quiet) = (try PseudoTerminal(), try ScriptedReceiver())
        let flooded = LocationManager(source: .serial(flooding.path))
        let other = LocationManager(source: quiet.source)
        let errors = flooded.didFailWithError
        let locations = other.didUpdateLocations
        flooded.startUpdatingLocation()
        other.startUpdatingLocation()
        await quiet.waitForReader()
        await flooding.waitForReader()

        let isOver = Atomic(false)
        let started = MonotonicInstant.now
        async let sent: Int = {
            var random = SystemRandomNumberGenerator()
            let noise = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
            var sent = 0
            while !isOver.load(ordering: .relaxed) {
                let count = await flooding.write(noise, until: .now + .seconds(1))
                sent += count
                // Without a reader there is nothing to wait for, and other tasks need this thread.
                if count == 0 {
                    _ = await Poller.shared.sleep(until: .now + .milliseconds(10))
                }
            }
            return sent
        }()
        // Each epoch is delivered before the next is sent.
        var iterator = locations.makeAsyncIterator()
        for second in 0..<50 {
            await quiet.sendEpoch(second)
            #expect(await iterator.next()?.first?.fix.time?.time.second == second)
        }
        // On a busy machine, the receiver may be silent before there is a flood.
        let flood = DeviceError(.flooded, device: flooding.path)
        for await error in errors {
            if error.cause == flood { break }
            #expect(error.code == .locationUnknown)
        }
        isOver.store(true, ordering: .relaxed)
        let (count, elapsed) = (await sent, started.duration(to: .now) / .seconds(1))
        // 13 kB and a chunk per tenth of a second, and the buffer of the pty.
        #expect(Double(count) < 180_000 * (elapsed + 1))
        withExtendedLifetime((flooded, other)) {}
    }

    @Test func `noise from a pipe is reported and read slowly`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let manager = LocationManager(source: .pipe(path))
        let errors = manager.didFailWithError
        let started = MonotonicInstant.now
        manager.startUpdatingLocation()
        let sending = Task {
            let writer = Descriptor(open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC))
            let noise = [UInt8](repeating: 0xFE, count: 4096)
            var sent = 0
            while !Task.isCancelled {
                sent += max(0, writer.use { write($0, noise, noise.count) } ?? 0)
                guard await writer.writable() == .ready else { break }
            }
            return sent
        }
        // On a busy machine, the receiver may be silent before there is a flood.
        let flood = DeviceError(.flooded, device: path)
        for await error in errors {
            if error.cause == flood { break }
            #expect(error.code == .locationUnknown)
        }
        sending.cancel()
        let (count, elapsed) = (await sending.value, started.duration(to: .now) / .seconds(1))
        // 13 kB and a chunk per tenth of a second, and the buffer of the pipe.
        #expect(Double(count) < 180_000 * (elapsed + 1))
        withExtendedLifetime(manager) {}
    }
}

/// The sentences that consumers of a receiver get for fixes that it sends in UBX.
@Suite(.timeLimit(.generous))
struct SentencesOfUBXTests {
    /// The epochs of a simulated receiver at 10 Hz.
    private func epochs(_ protocols: OutputProtocols) -> [[UInt8]] {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .ublox8
        configuration.protocols = protocols
        configuration.rate = 10
        var receiver = SimulatedReceiver(configuration)
        return (0..<10).map { _ in receiver.next().bytes }
    }

    /// Passes an input to a receiver. Returns the times of the RMC sentences that it then outputs.
    private func times(
        _ receiver: inout Receiver, _ input: consuming Receiver.Input, at now: MonotonicInstant
    ) -> [Double] {
        receiver.receive(input, at: now, date: nil)
        var times: [Double] = []
        while let output = receiver.next() {
            let bytes: [UInt8]
            switch output {
            case .sentence(let own): bytes = own
            case .generated(let generated): bytes = generated
            default: continue
            }
            let fields = String(decoding: bytes, as: UTF8.self).split(separator: ",")
            guard fields.count > 1, fields[0].hasSuffix("RMC") else { continue }
            if let time = Double(fields[1]) { times.append(time) }
        }
        return times
    }

    @Test func `the sentences of the last fix are output if the receiver's own do not follow`() {
        let now = MonotonicInstant.now
        var receiver = Receiver(canWait: false, at: now)
        receiver.passesSentences = true
        let origin = OriginDetector(origin: .replay, mayBeOld: false)
        let opening = Receiver.Opening(device: "gps", origin: origin)
        _ = times(&receiver, .opened(opening), at: now)
        let (messages, sentences) = (epochs(.ubx), epochs(.nmea))
        for (own, message) in zip(sentences, messages).dropLast() {
            _ = times(&receiver, .bytes(message + own), at: now)
        }
        let early = times(&receiver, .bytes(messages.last ?? []), at: now)
        let late = times(&receiver, .ended(nil), at: now)
        #expect(early.isEmpty)
        #expect(late == [120_000.9])
    }
}

@Suite(.timeLimit(.generous))
struct LineQualityTests {
    private let start = MonotonicInstant.now

    /// The problems reported for some seconds of chunks, ten per second by default.
    private func problems(
        _ chunk: [UInt8], seconds: Int, perSecond: Int = 10, _ health: inout LineQuality
    ) -> [LineQuality.LineProblem] {
        (0..<seconds * perSecond).compactMap { step in
            health.receivedNoise(chunk, at: start + .seconds(Double(step) / Double(perSecond)))
        }
    }

    @Test func `several seconds of noise are reported as a wrong rate`() {
        var health = LineQuality(at: .now)
        let noise = (0..<50).map { UInt8($0 * 5) }
        #expect(problems(noise, seconds: 4, &health) == [])
        #expect(problems(noise, seconds: 7, &health) == [.misunderstood])
    }

    @Test func `text with wrong checksums is not reported as a wrong rate`() {
        var health = LineQuality(at: .now)
        let text = Array("$GPGGA,120000,4812.3,N,01622.9,E,1,8*00\r\n".utf8)
        #expect(problems(text, seconds: 20, &health) == [])
    }

    @Test func `one sentence in noise keeps the rate`() {
        var health = LineQuality(at: .now)
        let noise = (0..<50).map { UInt8($0 * 5) }
        for second in 0..<20 {
            for tenth in 0..<9 {
                let now = start + .milliseconds(second * 1000 + tenth * 100)
                #expect(health.receivedNoise(noise, at: now) == nil)
            }
            health.receivedMessages()
        }
    }

    @Test func `a few bytes of noise in silence are not reported`() {
        var health = LineQuality(at: .now)
        #expect(problems([0xFF], seconds: 60, perSecond: 1, &health) == [])
    }

    @Test func `a flood is reported once and read at a limited rate`() {
        var health = LineQuality(at: .now)
        let noise = [UInt8](repeating: 0x55, count: 4095)
        let all = problems(noise, seconds: 4, perSecond: 100, &health)
        #expect(all.filter { $0 == .flooded }.count == 1)
        let now = start + .seconds(4)
        #expect(health.throttleEnd(at: now).map { $0 - now <= .milliseconds(100) } != nil)
    }
}

/// The times at which a tty is checked for another reader.
@Suite(.timeLimit(.generous))
struct SharedLineSignsTests {
    private let start = MonotonicInstant.now

    private func fix(_ second: Int) -> Fix {
        var fix = Fix()
        fix.time = UTCTime(
            unixNanoseconds: 1_774_094_400_000_000_000 + Int64(second) * 1_000_000_000)
        return fix
    }

    /// Ten epochs with a number of sentences each.
    private func learned(_ sentences: Int = 8) -> OtherReaderSigns {
        var signs = OtherReaderSigns(at: start)
        for second in 0..<10 {
            for _ in 0..<sentences { signs.receivedSentence() }
            signs.received(fix(second))
        }
        return signs
    }

    private func isDue(_ signs: inout OtherReaderSigns, _ seconds: Int) -> Bool {
        signs.isCheckDue(at: start + .seconds(seconds))
    }

    @Test func `no check is required while all sentences arrive`() {
        var signs = learned()
        #expect(isDue(&signs, 10) == false)
    }

    @Test func `a rejected sentence requires a check`() {
        var signs = learned()
        signs.receivedRejection()
        #expect(isDue(&signs, 10) == true)
        #expect(isDue(&signs, 20) == false)
    }

    @Test func `a missing sentence of an epoch requires a check`() {
        var signs = learned()
        for _ in 0..<7 { signs.receivedSentence() }
        signs.received(fix(10))
        #expect(isDue(&signs, 10) == true)
    }

    @Test func `a missing epoch requires a check`() {
        var signs = learned()
        for _ in 0..<8 { signs.receivedSentence() }
        signs.received(fix(11))
        #expect(isDue(&signs, 11) == true)
    }

    @Test func `a line that is always bad is checked less and less often`() {
        var signs = learned()
        var looks = 0
        for second in 0..<86_400 {
            signs.receivedRejection()
            if signs.isCheckDue(at: start + .seconds(second)) { looks += 1 }
        }
        #expect(looks > 100 && looks < 160, "\(looks)")
    }

    @Test func `a sign soon after a check requires the next check later`() {
        var signs = OtherReaderSigns(at: start)
        signs.receivedRejection()
        #expect(isDue(&signs, 1) == false)
        #expect(isDue(&signs, 2) == true)
    }
}
