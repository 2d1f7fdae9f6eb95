// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import UBX

/// Writes gpsd's `RAW` objects: the raw measurements of a u-blox receiver (`RXM-RAWX`), for
/// gpsrinex and other clients.
package struct RawReports: Sendable {
    /// The most bytes of an object: libgps reads 10,240.
    private static let limit = 10_000
    private var finder = UBXFrameFinder()
    private let table = RINEXSignalTable.shared

    package init() {}

    /// Whether the stream contained a byte with which a message could begin.
    package var isActive: Bool { finder.isActive }

    /// Adds bytes of the receiver. Passes the line of each object to `receive`.
    package mutating func push(
        _ bytes: [UInt8], device: String, _ receive: ([UInt8]) -> Void
    ) {
        finder.push(bytes) { [table] frame in
            if let line = Self.line(frame, device, table) { receive(line) }
        }
    }

    private static func line(
        _ frame: borrowing UBXFrame, _ device: String, _ table: RINEXSignalTable
    ) -> [UInt8]? {
        guard let epoch = RawEpoch(frame), let time = epoch.time, epoch.count > 0 else {
            return nil
        }
        var text = TextBuffer()
        text.append(#"{"class":"RAW","device":"#)
        text.append(json: device)
        // In GPS time, unlike all other objects.
        text.append(#","time":"#, GPSTime.firstDay * 86_400 + time.seconds)
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
            guard text.count <= limit else {
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
