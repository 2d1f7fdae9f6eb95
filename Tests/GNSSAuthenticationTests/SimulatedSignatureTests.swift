// SPDX-License-Identifier: MIT
import GNSS
import GNSSAuthentication
import GNSSNavigation
import GPSIO
import GPSReceivers
import GPSTestTraits
import SimulatedDevices
import Testing
import UBX

/// Simulated receivers whose satellites of Galileo sign with a test key.
enum SignedSky {
    static let key = TestKey()
    static let ring: KeyRing = {
        var ring = KeyRing()
        if let key { ring.add(key.key.installed(in: nil)) }
        return ring
    }()

    /// A receiver at rest that reports each page when it has ended. The seconds of GPS time are 18 ahead.
    static func configuration(
        start: String = "2026-03-21T12:00:01Z", faults: FaultScript = []
    ) -> SimulatedReceiver.Configuration {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .f9p
        configuration.protocols = .ubx
        configuration.rate = 0.5
        configuration.trajectory = Stationary(
            at: Coordinate(latitude: 48.2, longitude: 16.37), altitude: 171)
        configuration.start = UTCTime(iso8601: start)
        configuration.faults = faults
        configuration.testKey = key
        return configuration
    }

    /// The pages that are received within some seconds.
    static func pages(
        _ configuration: SimulatedReceiver.Configuration, seconds: Int
    ) -> [TimedPage] {
        var (receiver, reader) = (SimulatedReceiver(configuration), GalileoPageReader())
        var pages: [TimedPage] = []
        for _ in 0..<seconds / 2 {
            let bytes = receiver.next().bytes
            forEachFrame(in: bytes) { frame in
                if let page = reader.push(frame) { pages.append(page) }
            }
        }
        return pages
    }

    static func forEachFrame(in bytes: [UInt8], _ body: (UBXFrame) -> Void) {
        let span = bytes.span
        var start = 0
        while start < span.count {
            guard span[start] == 0xB5, let frame = UBXFrame(span.extracting(start..<span.count))
            else {
                start += 1
                continue
            }
            body(frame)
            start += frame.payload.count + 8
        }
    }

    /// The pages of seven minutes without a fault.
    static let genuine = pages(configuration(), seconds: 450)

    /// The fixes of a live receiver by a clock that is ahead by some seconds.
    static func fixes(
        _ configuration: SimulatedReceiver.Configuration, seconds: Int, bound: Double? = 1,
        ahead: Int64 = 0
    ) -> [Fix] {
        var simulated = SimulatedReceiver(configuration)
        var now = MonotonicInstant.now
        var receiver = Receiver(canWait: false, at: now)
        receiver.authentication = ReceiverAuthentication(
            AuthenticationSettings(
                load: { ring }, clockBound: { bound }, store: { _ in }))
        var fixes: [Fix] = []
        var opening: Receiver.Opening? = Receiver.Opening(
            device: "gps", origin: OriginDetector(origin: .simulated, mayBeOld: false))
        for _ in 0..<seconds / 2 {
            let epoch = simulated.next()
            let date = UTCTime(
                unixNanoseconds: epoch.truth.time.unixNanoseconds + ahead * 1_000_000_000)
            if let first = opening {
                receiver.receive(.opened(first), at: now, date: date)
                opening = nil
                now = now + .seconds(1)
                receiver.receive(.woke, at: now, date: date)
            }
            receiver.receive(.bytes(epoch.bytes), at: now, date: date)
            while let output = receiver.next() {
                if case .update(.epoch(let epoch)) = output { fixes.append(epoch.fix) }
            }
            now = now + .seconds(2)
        }
        return fixes
    }
}

extension FixAuthentication {
    fileprivate var isProved: Bool { state == .authenticated || state == .partial }
}

extension Authentication {
    /// The sub-frames, counted from the first one, in which satellites have a verdict.
    func subframes(with letter: Character) -> [Int] {
        reports.enumerated().filter { $0.element.verdicts.contains { $0.verdict.letter == letter } }
            .map(\.offset)
    }
}

@Suite(.timeLimit(.generous), .enabled(if: SignedSky.key != nil, "libcrypto is not here"))
struct SimulatedSignatureTests {
    @Test func `a simulated sky is authenticated by all kinds of tags`() {
        let found = Authentication(SignedSky.genuine, SignedSky.ring)
        let counts = found.counts
        #expect(counts.roots > 0 && counts.badRoots == 0 && counts.rootsWithoutKey == 0)
        #expect(counts.distinctKeys >= 10 && counts.badKeys == 0)
        #expect(counts.sequences > 20 && counts.badSequences == 0)
        #expect(counts.tags.orbit > 50 && counts.tags.timing > 10 && counts.tags.slowOrbit > 10)
        #expect(counts.bad == 0 && counts.misfits == 0)
        // One to collect the data, one for their tags, one for the key, and some for the root.
        #expect(found.subframes(with: "A").first.map { $0 <= 5 } == true)
        #expect(found.subframes(with: "F").isEmpty)
        let last = found.reports.last?.verdicts ?? []
        #expect(last.count { $0.verdict == .authenticated } > 4)
    }

    @Test func `without the simulation's key, nothing is known`() throws {
        var ring = KeyRing()
        let point = [2] + [UInt8](repeating: 7, count: 32)
        let other = try #require(Key<Unverified>(id: 1, curve: .p256, point: point))
        ring.add(other.installed(in: nil))
        let found = Authentication(SignedSky.genuine, ring)
        #expect(found.counts.badRoots > 0 && found.counts.keys == 0)
        #expect(found.subframes(with: "A").isEmpty && found.subframes(with: "F").isEmpty)
    }

    @Test func `the next chain is used from its first key on`() {
        // The hour begins after twelve minutes.
        let configuration = SignedSky.configuration(
            start: "2026-03-21T12:47:43Z", faults: [Fault(.chainRenewal)])
        let found = Authentication(
            SignedSky.pages(configuration, seconds: 900), SignedSky.ring)
        #expect(found.events.contains { $0.hasSuffix("next chain 1 stored") })
        #expect(found.events.last { $0.contains("in use") }?.hasSuffix("chain 1 in use") == true)
        #expect(found.counts.bad == 0 && found.counts.badKeys == 0)
        #expect(found.subframes(with: "F").isEmpty)
        // Without a break, except for a minute of new data every ten minutes.
        let authenticated = found.subframes(with: "A")
        for index in (authenticated.first ?? 0)..<found.reports.count
        where found.reports[index].start.timeOfWeek % 600 >= 60 {
            #expect(authenticated.contains(index), "\(found.reports[index].start)")
        }
        #expect((authenticated.first ?? .max) <= 8)
    }

    @Test func `a revoked chain proves nothing, until the next one is in force`() {
        let configuration = SignedSky.configuration(
            start: "2026-03-21T12:44:43Z", faults: [Fault(.chainRevocation, at: 180)])
        let found = Authentication(
            SignedSky.pages(configuration, seconds: 1140), SignedSky.ring)
        #expect(found.events.contains { $0.hasSuffix("chain 0 dropped") })
        #expect(found.events.last { $0.contains("in use") }?.hasSuffix("chain 1 in use") == true)
        #expect(found.subframes(with: "F").isEmpty)
        let authenticated = found.subframes(with: "A")
        #expect(authenticated.contains(6) && authenticated.contains(found.reports.count - 1))
        // From the revocation to the hour.
        #expect(Set(8..<31).isDisjoint(with: authenticated), "\(authenticated)")
        let reason = found.reports[12].verdicts.first?.verdict
        #expect(reason == .unknown(.doNotUse))
    }

    @Test func `forged orbits fail, with an alarm, and genuine ones do not`() {
        let fault = Fault(.forgedOrbits, at: 180, for: 120)
        let configuration = SignedSky.configuration(faults: [fault])
        let found = Authentication(
            SignedSky.pages(configuration, seconds: 390), SignedSky.ring)
        // The tags of the first forged sub-frame prove it when their key is received.
        let failed = found.subframes(with: "F")
        #expect(failed.first.map { 7...9 ~= $0 } == true, "\(failed)")
        #expect((failed.last ?? 0) < 13, "\(failed)")
        let fixes = SignedSky.fixes(configuration, seconds: 390)
        let alarm = fixes.first { $0.authentication?.state == .failed }
        #expect(alarm?.integrity?.state == .alarm)
        #expect(
            alarm?.integrity?.reasons.contains { $0.test == .authenticationFailed } == true)
        #expect(fixes.prefix(120).allSatisfy { $0.authentication?.state != .failed })
    }

    @Test func `simulated satellites are authenticated by a good clock, and stay labelled`() {
        let fixes = SignedSky.fixes(SignedSky.configuration(), seconds: 240)
        let last = fixes.last?.authentication
        #expect(last?.isProved == true)
        #expect(last.map { $0.satellites > 4 && $0.authenticated > 4 && $0.failed == 0 } == true)
        #expect(fixes.allSatisfy { $0.quality == .simulated })
    }

    @Test(arguments: [(nil, 0), (1, 400), (1, -60), (200, 150)])
    func `without a clock that is right, nothing is known`(_ bound: Double?, _ ahead: Int64) {
        let fixes = SignedSky.fixes(
            SignedSky.configuration(), seconds: 240, bound: bound, ahead: ahead)
        let states = Set(fixes.compactMap { $0.authentication?.state })
        #expect(states.isSubset(of: [.unknown]))
    }

    @Test func `old messages prove nothing, and relayed ones are not noticed`() {
        let old = SignedSky.fixes(
            SignedSky.configuration(faults: [Fault(.replay(3600), at: 180)]), seconds: 420)
        #expect(old[85].authentication?.isProved == true)
        #expect(old.last?.authentication?.state == .unknown)
        #expect(old.allSatisfy { $0.authentication?.state != .failed })
        let reasons = old.compactMap { $0.integrity?.reasons }.joined()
        #expect(reasons.contains { $0.test == .authenticationLost })
        // As docs/authentication.md says: a receiver's time is that of the relayed signals.
        let faults: FaultScript = [Fault(.replay(20)), Fault(.clockOff(-20))]
        let relayed = SignedSky.fixes(SignedSky.configuration(faults: faults), seconds: 240)
        #expect(relayed.last?.authentication?.isProved == true)
    }

    @Test func `a receiver whose own time is wrong makes no right page fail`() {
        let fixes = SignedSky.fixes(
            SignedSky.configuration(faults: [Fault(.clockOff(90), at: 180)]), seconds: 420)
        #expect(fixes[85].authentication?.isProved == true)
        #expect(fixes.allSatisfy { $0.authentication?.state != .failed })
        #expect(fixes.last?.authentication?.state == .unknown)
    }
}
