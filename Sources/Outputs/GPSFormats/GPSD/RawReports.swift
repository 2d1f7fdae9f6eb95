// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import UBX

/// Writes gpsd's `RAW` objects: the raw measurements of a u-blox receiver (`RXM-RAWX`), for
/// gpsrinex and other clients.
package struct RawReports: Sendable {
    /// The most bytes of an object: libgps reads 10,240.
    private static let limit = 10_000
    /// The Unix time at which GPS time begins.
    private static let epoch = 315_964_800

    /// Finds the messages; `nil` while the stream contains no byte with which one could begin.
    private var framer: Framer?
    private let table = RINEXSignalTable.shared

    package init() {}

    /// Whether the stream contained a byte with which a message could begin.
    package var isActive: Bool { framer != nil }

    /// Adds bytes of the receiver. Passes the line of each object to `receive`.
    package mutating func push(
        _ bytes: [UInt8], device: String, _ receive: ([UInt8]) -> Void
    ) {
        guard framer != nil || bytes.contains(0xB5) else { return }
        var framer = framer ?? Framer()
        framer.push(bytes.span) { event in
            guard case .frame(.ubx, let bytes, _) = event else { return }
            if let line = line(UBXFrame(recognised: bytes), device) { receive(line) }
        }
        self.framer = framer
    }

    private func line(_ frame: borrowing UBXFrame, _ device: String) -> [UInt8]? {
        guard let epoch = RawEpoch(frame), let time = epoch.time, epoch.count > 0 else {
            return nil
        }
        var text = TextBuffer()
        text.append(#"{"class":"RAW","device":"#)
        text.append(json: device)
        // In GPS time, unlike all other objects.
        text.append(#","time":"#, time.seconds + Self.epoch)
        text.append(#","nsec":"#, time.fraction * 100)
        text.append(#","rawdata":["#)
        var hasAny = false
        for index in 0..<epoch.count {
            let measurement = epoch[index]
            guard let signal = table.signal(measurement.identity, version: epoch.version) else {
                continue
            }
            let start = text.count
            if hasAny { text.append(",") }
            text.append(measurement, signal)
            guard text.count <= Self.limit else {
                text.count = start
                break
            }
            hasAny = true
        }
        text.append("]}\r\n")
        return hasAny ? text.array : nil
    }
}

extension TextBuffer {
    /// Appends a measurement with gpsd's names. What is not valid is left out.
    fileprivate mutating func append(
        _ measurement: RawEpoch.Measurement, _ signal: RINEXSignal
    ) {
        let (identity, state) = (measurement.identity, measurement.tracking)
        append(#"{"gnssid":"#, identity.gnssID)
        append(#","svid":"#, identity.svid)
        append(#","sigid":"#, identity.signalID)
        if identity.gnssID == 6 { append(#","freqid":"#, identity.frequencyID) }
        append(#","snr":"#, Int(measurement.cn0))
        append(#","obs":"L"#)
        append(text: RINEXSignalSet.all[signal.system].1[signal.signal].code)
        // 1: the lock was lost; 2: half a cycle may be missing.
        let lli = (measurement.lockTime == 0 ? 1 : 0) + (state.isHalfCycleKnown ? 0 : 2)
        append(#"","lli":"#, lli)
        append(#","locktime":"#, Int(measurement.lockTime))
        if state.isPhaseValid {
            append(#","carrierphase":"#, measurement.carrierPhase, decimals: 3)
        }
        if state.isRangeValid {
            append(#","pseudorange":"#, measurement.pseudorange, decimals: 3)
        }
        append(#","doppler":"#, Double(measurement.doppler), decimals: 3)
        append("}")
    }
}
