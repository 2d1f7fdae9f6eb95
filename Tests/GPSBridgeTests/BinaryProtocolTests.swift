// SPDX-License-Identifier: MIT
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
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
