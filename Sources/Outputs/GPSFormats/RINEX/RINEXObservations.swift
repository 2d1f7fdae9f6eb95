// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation
import UBX

/// The names of signals in RINEX, in the order of columns.
private let rinexSignals: [(Constellation, [(code: String, ids: Set<UInt8>)])] = [
    (.gps, [("1C", [0]), ("2S", [4]), ("2L", [3]), ("5I", [6]), ("5Q", [7])]),
    (.glonass, [("1C", [0]), ("2C", [2])]),
    (
        .galileo,
        [
            ("1B", [1]), ("1C", [0]), ("5I", [3]), ("5Q", [4]), ("6B", [8]), ("6C", [9]),
            ("7I", [5]), ("7Q", [6]),
        ]
    ),
    (
        .qzss,
        [("1C", [0]), ("1Z", [1]), ("2S", [4]), ("2L", [5]), ("5I", [8]), ("5Q", [9])]
    ),
    (
        .beiDou,
        [
            ("1D", [6]), ("1P", [5]), ("2I", [0, 1]), ("5D", [8]), ("5P", [7]), ("6I", [4, 10]),
            ("7I", [2, 3]),
        ]
    ),
    (.sbas, [("1C", [0])]),
    (.navIC, [("5A", [0])]),
]

/// A signal of a satellite as RINEX names it.
struct RINEXSignal {
    let satellite: SatelliteID
    /// The index of the constellation, and of the signal within it, in the order of RINEX files.
    let system: Int
    let signal: Int

    /// The signal for each constellation's `gnssID` and u-blox's number of the signal; 255 if RINEX
    /// has no name for it.
    private static let indices: [(system: UInt8, signal: UInt8)] = {
        var indices = [(system: UInt8, signal: UInt8)](repeating: (255, 255), count: 128)
        for (system, (constellation, signals)) in rinexSignals.enumerated() {
            for (signal, (_, ids)) in signals.enumerated() {
                for id in ids {
                    indices[constellation.gnssID << 4 | Int(id)] = (UInt8(system), UInt8(signal))
                }
            }
        }
        return indices
    }()

    init?(_ measurement: RxmRAWX.Measurement, version: UInt8) {
        // Before version 1, the number of the signal is not used: all signals are on L1.
        let id = version == 0 ? 0 : measurement.signalID
        guard measurement.gnssID < 8, id < 16 else { return nil }
        let index = Self.indices[Int(measurement.gnssID) << 4 | Int(id)]
        guard index.system != 255,
            let satellite = SatelliteID(
                rinexSignals[Int(index.system)].0, Int(measurement.svid))
        else { return nil }
        self.satellite = satellite
        (system, signal) = (Int(index.system), Int(index.signal))
    }
}

/// A set of signals, which are the columns of a file.
struct RINEXSignalSet: Sendable {
    /// A bit for each signal of each system.
    private var bits = [UInt8](repeating: 0, count: rinexSignals.count)

    mutating func insert(_ signal: RINEXSignal) { bits[signal.system] |= 1 << UInt8(signal.signal) }

    /// Returns the column of a signal; `nil` if the set does not have it.
    func column(_ signal: RINEXSignal) -> Int? {
        let bit: UInt8 = 1 << UInt8(signal.signal)
        guard bits[signal.system] & bit != 0 else { return nil }
        return (bits[signal.system] & (bit &- 1)).nonzeroBitCount
    }

    /// The letter and the codes of each constellation that has signals.
    var codes: [(letter: Character, codes: [String])] {
        rinexSignals.enumerated().compactMap { system, entry in
            let codes = entry.1.enumerated().filter { bits[system] >> UInt8($0.offset) & 1 == 1 }
            return codes.isEmpty ? nil : (entry.0.letter, codes.map(\.element.code))
        }
    }
}

/// Writes epochs of raw measurements.
struct RINEXObservations {
    /// The state of the carrier phase of a signal.
    private struct Tracking {
        var lockTime: UInt16 = 0
        var isHalfCycleSubtracted = false
        /// Whether cycles were lost since the last phase that was written.
        var hasSlipped = false
    }

    /// A measurement of the present epoch. Sorting by `key` gives the order of the file.
    private struct Entry {
        let key: UInt32
        let satellite: SatelliteID
        let measurement: Int
        var column: Int { Int(key & 0xFF) }
    }

    /// For each constellation, satellite and signal, as u-blox numbers them.
    private var tracking = [Tracking](repeating: Tracking(), count: 1 << 15)
    private var entries: [Entry] = []

    /// Finds the measurements to write. Returns `false` if there are none.
    mutating func prepare(_ epoch: RxmRAWX, _ signals: RINEXSignalSet) -> Bool {
        entries.removeAll(keepingCapacity: true)
        for (index, measurement) in epoch.measurements.enumerated() {
            guard let signal = RINEXSignal(measurement, version: epoch.version),
                let column = signals.column(signal)
            else { continue }
            let system = UInt32(signal.system) << 16
            entries.append(
                Entry(
                    key: system | UInt32(signal.satellite.svid) << 8 | UInt32(column),
                    satellite: signal.satellite, measurement: index))
        }
        entries.sort { $0.key < $1.key }
        return !entries.isEmpty && 0..<604_800 ~= epoch.timeOfWeek
    }

    /// The time of an epoch in the header.
    static func firstEpoch(_ epoch: RxmRAWX) -> String {
        let (seconds, fraction) = time(epoch)
        let date = CalendarDate(daysSince1970: 3657 + seconds / 86_400) ?? .unixEpoch
        let clock = TimeOfDay(secondsOfDay: seconds % 86_400)
        let parts = [date.year, date.month, date.day, clock.hour, clock.minute]
        return parts.map { String($0).leading(6) }.joined()
            + "\(clock.second).\(String(fraction, width: 7))".leading(13) + "     GPS"
    }

    /// The whole seconds since 6 January 1980, and the rest in units of 0.1 µs.
    private static func time(_ epoch: RxmRAWX) -> (seconds: Int, fraction: Int) {
        let units = Int((epoch.timeOfWeek * 1e7).rounded())
        let (seconds, fraction) = units.quotientAndRemainder(dividingBy: 10_000_000)
        return (Int(epoch.week) * 604_800 + seconds, fraction)
    }

    /// Writes the epoch for which `prepare` was called.
    mutating func write(_ epoch: RxmRAWX, to text: inout TextBuffer) {
        let (seconds, fraction) = Self.time(epoch)
        text.append(">")
        text.append(rinexEpoch: seconds)
        text.append(".")
        text.append(integer: fraction, width: 7)
        text.append("  0")
        var count = 0
        for index in entries.indices
        where index == 0 || entries[index].key >> 8 != entries[index - 1].key >> 8 { count += 1 }
        text.append(count < 10 ? "  " : count < 100 ? " " : "")
        text.append(integer: count)
        var satellite: UInt32?
        var column = 0
        for entry in entries {
            if entry.key >> 8 != satellite {
                satellite = entry.key >> 8
                column = 0
                text.append("\n")
                text.append(text: RINEXNavigation.name(of: entry.satellite))
            }
            // A second measurement of the same signal has no column.
            guard entry.column >= column else { continue }
            for _ in column..<entry.column { text.appendBlanks(64) }
            column = entry.column + 1
            write(epoch.measurements[entry.measurement], to: &text)
        }
        text.append("\n")
    }

    private mutating func write(_ measurement: RxmRAWX.Measurement, to text: inout TextBuffer) {
        let state = measurement.tracking
        let index =
            Int(measurement.gnssID & 7) << 12 | Int(measurement.svid) << 4
            | Int(measurement.signalID & 15)
        let isSubtracted = state.isHalfCycleSubtracted
        let deviation = measurement.phaseDeviation & 15
        if measurement.lockTime == 0 || measurement.lockTime < tracking[index].lockTime
            || isSubtracted != tracking[index].isHalfCycleSubtracted || deviation == 15
        {
            tracking[index].hasSlipped = true
        }
        tracking[index].lockTime = measurement.lockTime
        tracking[index].isHalfCycleSubtracted = isSubtracted
        if state.isRangeValid {
            text.append(observation: measurement.pseudorange)
        } else {
            text.appendBlanks(14)
        }
        text.appendBlanks(2)
        if state.isPhaseValid, measurement.carrierPhase != -0.5 {
            let isSBAS = measurement.gnssID == 1
            let isHalfCycleKnown =
                isSBAS ? measurement.lockTime > 8000 : state.isHalfCycleKnown
            let loss = (tracking[index].hasSlipped ? 1 : 0) + (isHalfCycleKnown ? 0 : 2)
            tracking[index].hasSlipped = false
            // BeiDou's geostationary satellites send other bits, which move the phase.
            let isStationary =
                measurement.gnssID == 3 && !(6...58 ~= measurement.svid)
            text.append(observation: measurement.carrierPhase + (isStationary ? 0.5 : 0))
            if loss > 0 { text.append(integer: loss) } else { text.append(" ") }
            text.append(" ")
        } else {
            text.appendBlanks(16)
        }
        text.append(observation: Double(measurement.doppler))
        text.appendBlanks(2)
        text.append(observation: Double(measurement.cn0))
        text.appendBlanks(2)
    }
}

extension TextBuffer {
    fileprivate mutating func appendBlanks(_ count: Int) {
        for _ in 0..<count { append(" ") }
    }

    /// Appends a number with three decimals, right-aligned in 14 characters.
    fileprivate mutating func append(observation value: Double) {
        guard value.magnitude < 1e9 else { return appendBlanks(14) }
        let product = value * 1000
        var rounded = product.rounded(.toNearestOrEven)
        if (product - rounded).magnitude == 0.5 {
            // The product may have been rounded to a half.
            let error = (-product).addingProduct(value, 1000)
            if error != 0 { rounded = product + (error > 0 ? 0.5 : -0.5) }
        }
        let thousandths = Int(rounded)
        var rest = thousandths.magnitude
        makeRoom(14)
        var index = count + 13
        var digits = 0
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            room[index] = 0x30 | UInt8(truncatingIfNeeded: digit)
            (rest, index, digits) = (quotient, index - 1, digits + 1)
            if digits == 3 {
                room[index] = 0x2E
                index -= 1
            }
        } while rest > 0 || digits < 4
        if thousandths < 0 {
            room[index] = 0x2D
            index -= 1
        }
        while index >= count {
            room[index] = 0x20
            index -= 1
        }
        count += 14
    }
}
