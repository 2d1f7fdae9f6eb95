// SPDX-License-Identifier: MIT
package import GNSS
package import GNSSAuthentication
package import UBX

/// How Galileo's signatures in the data of receivers are verified.
package struct AuthenticationSettings: Sendable {
    /// Returns the trees and keys, when the first page of Galileo is received.
    package let load: @Sendable () -> KeyRing
    /// Returns by how many seconds the system's clock may be wrong; `nil` if that is not known, or if
    /// the clock follows a receiver.
    package let clockBound: @Sendable () -> Double?
    /// Stores what satellites have said about the keys.
    package let store: @Sendable (KeyRing) -> Void

    package init(
        load: @escaping @Sendable () -> KeyRing, clockBound: @escaping @Sendable () -> Double?,
        store: @escaping @Sendable (KeyRing) -> Void
    ) {
        (self.load, self.clockBound, self.store) = (load, clockBound, store)
    }
}

/// Verifies Galileo's signatures in the UBX frames of a receiver, and adds the result to its fixes.
package struct ReceiverAuthentication {
    private struct Satellite {
        var verdict: AuthenticationVerdict
        /// The last sub-frame at whose end it was authenticated.
        var authenticated: GalileoTime?
        /// The sub-frames running in which it failed.
        var failures = 0
    }

    /// How long a satellite counts as authenticated while its data change, in seconds.
    private static let hold = 120
    /// The seconds after which the last verdicts are too old.
    private static let lifetime = 90
    /// The sub-frames that are verified at once after a pause. One more is each `subframeTime`, so that a
    /// receiver that invents times costs no more work than others.
    private static let burst = 10.0
    private static let subframeTime = 10.0
    /// By how many seconds a page of a right time may come early or late, beside the clock's bound.
    private static let tolerance = 2.0

    private let settings: AuthenticationSettings
    private let cryptography: any Cryptography
    /// `nil` until the first page of Galileo is received.
    private var authenticator: Authenticator?
    /// The keys that were last stored.
    private var stored = KeyRing()
    private var reader = GalileoPageReader()
    private var satellites: [UInt8: Satellite] = [:]
    private var reported: GalileoTime?
    /// The time at which the clock's bound was last read, and the bound.
    private var bound: (read: UTCTime, seconds: Double?)?
    /// The latest sub-frame of a live receiver, how many others may be verified, and when that was
    /// computed.
    private var latest: GalileoTime?
    private var allowance = Self.burst
    private var computed: UTCTime?
    private var isRecording = false

    package init(
        _ settings: AuthenticationSettings, _ cryptography: some Cryptography = Libcrypto()
    ) {
        (self.settings, self.cryptography) = (settings, cryptography)
    }

    /// Reads a frame, which was received at a date. Recordings have no clock.
    package mutating func receive(_ frame: borrowing UBXFrame, date: UTCTime?, isRecording: Bool) {
        guard let page = reader.push(frame) else {
            if let epoch = reader.epoch { verify { $0.finish(at: epoch, $1) } }
            return
        }
        self.isRecording = isRecording
        if authenticator == nil {
            stored = settings.load()
            // The stored chain is today's.
            if isRecording { stored.chain = nil }
            authenticator = Authenticator(stored, cryptography)
        }
        // Without keys, there is nothing to verify.
        guard !stored.isEmpty || stored.isAlert else { return }
        let synchronisation =
            isRecording ? Synchronisation.allTags : self.synchronisation(page, date)
        // A page from the future cannot be genuine, and would end the current sub-frame.
        guard let synchronisation, isRecording || mayVerify(page.start.subframe, date) else {
            return
        }
        verify { $0.push(page, synchronisation, $1) }
    }

    /// Whether a sub-frame is the latest one, or may follow it.
    private mutating func mayVerify(_ subframe: GalileoTime, _ date: UTCTime?) -> Bool {
        if let latest, subframe <= latest { return true }
        if let date {
            let elapsed = computed.map { date.unixNanoseconds &- $0.unixNanoseconds } ?? 0
            let earned = Double(max(0, elapsed)) / 1e9 / Self.subframeTime
            (allowance, computed) = (min(Self.burst, allowance + earned), date)
        }
        guard allowance >= 1 else { return false }
        (allowance, latest) = (allowance - 1, subframe)
        return true
    }

    private mutating func verify(
        _ body: (inout Authenticator, (AuthenticationEvent) -> Void) -> Void
    ) {
        var reports: [AuthenticationReport] = []
        if var authenticator = exchange(&authenticator, with: nil) {
            body(&authenticator) { if case .subframe(let report) = $0 { reports.append(report) } }
            self.authenticator = authenticator
        }
        for report in reports { receive(report) }
    }

    /// Compares a page's time with the clock. Returns `nil` if the page is from the future.
    private mutating func synchronisation(_ page: TimedPage, _ date: UTCTime?) -> Synchronisation? {
        guard let date, let now = GPSTime(date) else { return Synchronisation.none }
        if bound.map({ abs(date.unixNanoseconds &- $0.read.unixNanoseconds) > 10_000_000_000 })
            ?? true
        {
            bound = (date, settings.clockBound())
        }
        guard let bound = bound?.seconds else { return Synchronisation.none }
        let seconds = Double(now.week) * 604_800 + Double(now.nanoseconds) / 1e9
        // A page is complete two seconds after its beginning.
        let lead = seconds - Double(page.start.gpsSeconds + 2)
        guard lead >= -bound - Self.tolerance else { return nil }
        return Synchronisation(lead: max(lead, -bound), bound: bound)
    }

    private mutating func receive(_ report: AuthenticationReport) {
        reported = report.start
        var current: [UInt8: Satellite] = [:]
        for (id, verdict) in report.verdicts {
            var satellite = satellites[id] ?? Satellite(verdict: verdict)
            satellite.verdict = verdict
            if verdict == .authenticated { satellite.authenticated = report.start }
            satellite.failures = verdict == .failed ? satellite.failures + 1 : 0
            current[id] = satellite
        }
        satellites = current
        guard var ring = authenticator?.ring else { return }
        if isRecording { ring.chain = nil }
        if ring != stored {
            stored = ring
            settings.store(ring)
        }
    }

    /// The result for a fix that uses some satellites; `nil` before the end of the first sub-frame.
    func result(used: SatelliteIDSet, isRecording: Bool) -> FixAuthentication? {
        guard let reported, let epoch = reader.epoch else { return nil }
        var result = FixAuthentication(state: .unknown)
        let isRecent = epoch - reported <= Self.lifetime
        var (held, failing, repeatedly) = (0, 0, false)
        for svid in 1...36 {
            guard let id = SatelliteID(.galileo, svid), used.contains(id) else { continue }
            result.satellites &+= 1
            guard isRecent, let satellite = satellites[id.svid] else { continue }
            switch satellite.verdict {
            case .authenticated:
                result.authenticated &+= 1
                held += 1
            case .failed:
                failing += 1
                repeatedly = repeatedly || satellite.failures > 1
            case .unknown(.newData), .unknown(.noTag):
                if let last = satellite.authenticated, reported - last <= Self.hold { held += 1 }
            case .unknown: break
            }
        }
        result.failed = UInt8(clamping: failing)
        // One wrong tag may be an error of the line.
        if failing > 1 || repeatedly {
            result.state = .failed
        } else if held > 0 {
            let isAll = held == Int(result.satellites)
            result.state = isRecording ? .consistent : isAll ? .authenticated : .partial
        }
        return result
    }
}
