// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import UBX

/// Writes gpsd's objects for raw data of a u-blox receiver: `RAW` (`RXM-RAWX`), for gpsrinex and
/// other clients, `IMU` (`ESF-MEAS`, `ESF-RAW`) and `SUBFRAME` (`RXM-SFRBX`).
package struct RawReports: Sendable {
    /// The most bytes of an object: libgps reads 10,240.
    private static let limit = 10_000
    private var finder = UBXFrameFinder()
    private let table = RINEXSignalTable.shared

    package init() {}

    /// Whether the stream contained a byte with which a message could begin.
    package var isActive: Bool { finder.isActive }

    /// Adds bytes of the receiver. Passes the line of each object to `receive`, and whether it is a
    /// `SUBFRAME`. These are only written if `subframes` is `true`.
    package mutating func push(
        _ bytes: [UInt8], device: String, subframes: Bool,
        _ receive: (_ line: [UInt8], _ isSubframe: Bool) -> Void
    ) {
        finder.push(bytes) { [table] frame in
            switch frame.id {
            case InertialMeasurements.id:
                if let line = InertialMeasurements.line(frame, device) { receive(line, false) }
            case InertialMeasurements.rawID:
                for line in InertialMeasurements.rawLines(frame, device) { receive(line, false) }
            case RxmSFRBX.id where subframes:
                if let line = SubframeReports.line(frame, device) { receive(line, true) }
            default:
                if let line = Self.line(frame, device, table) { receive(line, false) }
            }
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

/// The measurements of a receiver's accelerometers and gyroscopes: `ESF-MEAS` and `ESF-RAW`.
private enum InertialMeasurements {
    static let id = UBXMessageID(0x10, 0x02)
    static let rawID = UBXMessageID(0x10, 0x03)

    /// The maximum number of times in an `ESF-RAW`, which has ten.
    private static let rawLimit = 100

    /// gpsd's members in metres per second squared, degrees Celsius and degrees per second.
    private static let members: [(type: UInt32, name: StaticString, unit: Double, decimals: Int)] =
        [
            (16, #","acc_x":"#, 0x1p-10, 5), (17, #","acc_y":"#, 0x1p-10, 5),
            (18, #","acc_z":"#, 0x1p-10, 5), (12, #","gyro_temp":"#, 0.01, 2),
            (14, #","gyro_x":"#, 0x1p-12, 5), (13, #","gyro_y":"#, 0x1p-12, 5),
            (5, #","gyro_z":"#, 0x1p-12, 5),
        ]

    /// Returns the `IMU` of an `ESF-MEAS`; `nil` without values for it, as in the message of a wheel.
    static func line(_ frame: borrowing UBXFrame, _ device: String) -> [UInt8]? {
        let bytes = frame.payload
        guard bytes.count >= 8 else { return nil }
        let available = (bytes.count - 8) / 4
        // Old firmware does not report the number. A time of calibration follows the measurements.
        let hasCalibrationTime = bytes[4] & 8 != 0
        let count =
            bytes[5] >> 3 > 0
            ? min(Int(bytes[5] >> 3), available) : available - (hasCalibrationTime ? 1 : 0)
        return line(
            "UBX-ESF-MEAS", time: word(bytes, at: 0),
            (0..<max(0, count)).map { word(bytes, at: 8 + 4 * $0) }, device)
    }

    /// Returns an `IMU` for each time in an `ESF-RAW`: a message has several measurements of each
    /// sensor.
    static func rawLines(_ frame: borrowing UBXFrame, _ device: String) -> [[UInt8]] {
        let bytes = frame.payload
        var lines: [[UInt8]] = []
        var (time, words) = (UInt32(0), [UInt32]())
        func end() {
            guard lines.count < rawLimit,
                let line = line("UBX-ESF-RAW", time: time, words, device)
            else { return }
            lines.append(line)
        }
        for start in stride(from: 4, to: bytes.count - 7, by: 8) {
            let next = word(bytes, at: start + 4)
            if next != time {
                end()
                (time, words) = (next, [])
            }
            words.append(word(bytes, at: start))
        }
        end()
        return lines
    }

    private static func line(
        _ message: StaticString, time: UInt32, _ words: [UInt32], _ device: String
    ) -> [UInt8]? {
        var text = TextBuffer()
        text.append(#"{"class":"IMU","device":"#)
        text.append(json: device)
        text.append(#","msg":""#)
        text.append(message)
        text.append(#"","timeTag":"#, Int(time))
        let start = text.count
        for member in members {
            guard let word = words.first(where: { $0 >> 24 & 0x3F == member.type }) else {
                continue
            }
            let value = Int32(bitPattern: word << 8) >> 8
            text.append(member.name, Double(value) * member.unit, decimals: member.decimals)
        }
        guard text.count > start else { return nil }
        text.append("}\r\n")
        return text.array
    }

    private static func word(_ bytes: Span<UInt8>, at start: Int) -> UInt32 {
        var word: UInt32 = 0
        for index in 0..<4 { word |= UInt32(bytes[start + index]) << UInt32(8 * index) }
        return word
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
