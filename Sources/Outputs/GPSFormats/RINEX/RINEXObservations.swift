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

/// A set of signals, which are the columns of a file.
struct RINEXSignalSet: Sendable {
    /// The constellations and their signals in the order of RINEX files.
    static let all = rinexSignals

    /// A bit for each signal of each system.
    private var bits = [UInt8](repeating: 0, count: rinexSignals.count)

    /// The signals that u-blox's receivers measure: the pilots, where a signal has one.
    static let measured: RINEXSignalSet = {
        var set = RINEXSignalSet()
        let pilots: Set = ["1C", "2C", "2L", "5Q", "7Q", "6C", "1P", "2I", "5P", "7I", "6I", "5A"]
        for (system, entry) in rinexSignals.enumerated() {
            for (signal, (code, _)) in entry.1.enumerated() where pilots.contains(code) {
                set.bits[system] |= 1 << UInt8(signal)
            }
        }
        return set
    }()

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
        var hasPhase = false
        /// The time of the last phase that was written, in milliseconds, without its highest bits.
        var phaseTime: UInt32 = 0
        /// Whether cycles were lost since the last phase that was written.
        var hasSlipped = false
    }

    /// A measurement of the present epoch. Sorting gives the order of the file.
    private struct Entry {
        /// From the highest bit: the constellation, the satellite, the column and, in the lowest
        /// seven bits, the index of the measurement.
        let key: UInt32

        init(_ signal: RINEXSignal, column: Int, index: Int) {
            key =
                UInt32(truncatingIfNeeded: signal.system) << 19
                | UInt32(truncatingIfNeeded: signal.svid) << 11
                | UInt32(truncatingIfNeeded: column) << 7 | UInt32(truncatingIfNeeded: index)
        }

        init(key: UInt32) { self.key = key }

        var system: Int { Int(key >> 19) }
        var svid: UInt8 { UInt8(truncatingIfNeeded: key >> 11) }
        var column: Int { Int(key >> 7 & 15) }
        var measurement: Int { Int(key & 127) }

        /// Returns whether both are measurements of the same satellite.
        func hasSatellite(of other: Entry) -> Bool { key >> 11 == other.key >> 11 }
    }

    /// The time at which a receiver stops counting how long it has locked a phase, in milliseconds.
    private static let longestLockTime: UInt16 = 64_500
    /// The error of a lock time and of the epoch's time, in milliseconds.
    private static let lockTolerance: UInt32 = 10
    /// The length of the values of a signal: four numbers of 16 characters.
    private static let length = 64

    /// For each constellation, satellite and signal, as u-blox numbers them.
    private var tracking = [Tracking](repeating: Tracking(), count: 8 << 10)
    /// The entries of the present epoch as their keys, because integers are sorted faster.
    private var keys: [UInt32] = []
    /// The time of the present epoch in milliseconds, without its highest bits.
    private var now: UInt32 = 0
    private let letters = rinexSignals.map { $0.0.letter.asciiValue ?? 0x20 }
    private let digits = DigitGroups()
    private let table = RINEXSignalTable.shared

    /// Finds the measurements to write. Returns `false` if there are none.
    mutating func prepare(_ epoch: borrowing RawEpoch, _ signals: RINEXSignalSet) -> Bool {
        keys.removeAll(keepingCapacity: true)
        let version = epoch.version
        for index in 0..<epoch.count {
            guard let signal = table.signal(epoch.identity(index), version: version),
                let column = signals.column(signal)
            else { continue }
            keys.append(Entry(signal, column: column, index: index).key)
        }
        sortKeys()
        return !keys.isEmpty
    }

    /// Sorts the keys by insertion: a receiver reports most of them in order.
    private mutating func sortKeys() {
        for index in keys.indices.dropFirst() {
            let key = keys[index]
            var place = index
            while place > 0, keys[place - 1] > key {
                keys[place] = keys[place - 1]
                place -= 1
            }
            keys[place] = key
        }
    }

    /// The time of an epoch in the header.
    static func firstEpoch(_ time: (seconds: Int, fraction: Int)) -> String {
        let date =
            CalendarDate(daysSince1970: GPSTime.firstDay + time.seconds / 86_400) ?? .unixEpoch
        let clock = TimeOfDay(secondsOfDay: time.seconds % 86_400)
        let parts = [date.year, date.month, date.day, clock.hour, clock.minute]
        return parts.map { String($0).leading(6) }.joined()
            + "\(clock.second).\(String(time.fraction, width: 7))".leading(13) + "     GPS"
    }

    /// Writes the epoch for which `prepare` was called.
    mutating func write(
        _ epoch: borrowing RawEpoch, at time: (seconds: Int, fraction: Int),
        to text: inout TextBuffer
    ) {
        now = UInt32(truncatingIfNeeded: time.seconds &* 1000 &+ time.fraction / 10_000)
        text.append(">")
        text.append(rinexEpoch: time.seconds)
        text.append(".")
        text.append(integer: time.fraction, width: 7)
        text.append("  0")
        let count = keys.indices.count {
            $0 == 0 || !Entry(key: keys[$0]).hasSatellite(of: Entry(key: keys[$0 - 1]))
        }
        text.append(count < 10 ? "  " : count < 100 ? " " : "")
        text.append(integer: count)
        text.append("\n")
        var start = 0
        while start < keys.count {
            let first = Entry(key: keys[start])
            var end = start + 1
            while end < keys.count, Entry(key: keys[end]).hasSatellite(of: first) { end += 1 }
            write(start..<end, of: epoch, to: &text)
            start = end
        }
    }

    /// Writes the line of a satellite.
    private mutating func write(
        _ entries: Range<Int>, of epoch: borrowing RawEpoch, to text: inout TextBuffer
    ) {
        let first = Entry(key: keys[entries.lowerBound])
        let columns = Entry(key: keys[entries.upperBound - 1]).column + 1
        let number = first.svid - (first.svid > 99 ? 100 : 0)
        text.append(letters[first.system])
        text.append(integer: Int(number), width: 2)
        text.makeRoom(columns * Self.length + 8)
        let start = text.count
        var span = text.room.mutableSpan
        var room = span.mutableBytes
        // Eight blanks at a time; the numbers follow.
        for offset in stride(from: start, to: start + columns * Self.length, by: 8) {
            room.storeBytes(of: 0x2020_2020_2020_2020, toByteOffset: offset, as: UInt64.self)
        }
        var column = -1
        for index in entries {
            let entry = Entry(key: keys[index])
            // A second measurement of the same signal has no column.
            guard entry.column > column else { continue }
            column = entry.column
            write(epoch[entry.measurement], in: &room, at: start + column * Self.length)
        }
        // Without the blanks at the end.
        let end = start + columns * Self.length - 2
        room.storeBytes(of: 0x0A, toByteOffset: end, as: UInt8.self)
        text.count = end + 1
    }

    /// Returns whether the phase was locked after the time `last`: the cycles between are not known.
    private func isLockedSince(_ last: UInt32, _ lockTime: UInt16) -> Bool {
        lockTime < Self.longestLockTime && UInt32(lockTime) + Self.lockTolerance < now &- last
    }

    private mutating func write(
        _ measurement: RawEpoch.Measurement, in room: inout MutableRawSpan, at start: Int
    ) {
        let state = measurement.tracking
        // The numbers of a constellation's satellites are in a range of less than 64.
        let (gnssID, svid) = (measurement.identity.gnssID, measurement.identity.svid)
        let index = (gnssID & 7) << 10 | (svid & 63) << 4 | measurement.identity.signalID & 15
        var signal = tracking[index]
        let isSubtracted = state.isHalfCycleSubtracted
        if measurement.lockTime == 0 || measurement.lockTime < signal.lockTime
            || isSubtracted != signal.isHalfCycleSubtracted
            || measurement.phaseDeviation & 15 == 15
            || signal.hasPhase && isLockedSince(signal.phaseTime, measurement.lockTime)
        {
            signal.hasSlipped = true
        }
        signal.lockTime = measurement.lockTime
        signal.isHalfCycleSubtracted = isSubtracted
        if state.isRangeValid { digits.put(measurement.pseudorange, in: &room, at: start) }
        if state.isPhaseValid, measurement.carrierPhase != -0.5 {
            let isSBAS = gnssID == 1
            let isHalfCycleKnown =
                isSBAS ? measurement.lockTime > 8000 : state.isHalfCycleKnown
            let loss: UInt8 = (signal.hasSlipped ? 1 : 0) + (isHalfCycleKnown ? 0 : 2)
            (signal.hasSlipped, signal.hasPhase, signal.phaseTime) = (false, true, now)
            // BeiDou's geostationary satellites send other bits, which move the phase.
            let isStationary = gnssID == 3 && !(6...58 ~= svid)
            digits.put(
                measurement.carrierPhase + (isStationary ? 0.5 : 0), in: &room, at: start + 16)
            if loss > 0 {
                room.storeBytes(of: 0x30 + loss, toByteOffset: start + 30, as: UInt8.self)
            }
        }
        digits.put(Double(measurement.doppler), in: &room, at: start + 32)
        digits.put(whole: Int(measurement.cn0), in: &room, at: start + 48)
        tracking[index] = signal
    }
}

/// Stores numbers with three decimals, three digits at a time.
private struct DigitGroups {
    /// A blank and the three digits of each number below 1000, as they are in memory.
    private let groups: [UInt32]
    /// The same with blanks for leading zeros.
    private let leading: [UInt32]

    init() {
        func words(_ zero: UInt8) -> [UInt32] {
            (0..<1000).map { number in
                let text = [
                    0x20, number < 100 ? zero : UInt8(0x30 + number / 100),
                    number < 10 ? zero : UInt8(0x30 + number / 10 % 10), UInt8(0x30 + number % 10),
                ]
                return text.reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }
        }
        (groups, leading) = (words(0x30), words(0x20))
    }

    /// Stores a number in 14 bytes, which are blank, right-aligned. Leaves out a number that does
    /// not fit.
    func put(_ value: Double, in room: inout MutableRawSpan, at start: Int) {
        guard value.magnitude < 1e9 else { return }
        let product = value.magnitude * 1000
        var thousandths = UInt64(product)
        let rest = product - Double(thousandths)
        if rest > 0.5 {
            thousandths += 1
        } else if rest == 0.5 {
            // The product may have been rounded to a half. A half is rounded to an even digit.
            let error = (-product).addingProduct(value.magnitude, 1000)
            if error > 0 || error == 0 && thousandths % 2 == 1 { thousandths += 1 }
        }
        guard thousandths < 1_000_000_000_000 else { return }
        let (integer, decimals) = thousandths.quotientAndRemainder(dividingBy: 1000)
        let fraction = groups[Int(decimals)] & ~0xFF | UInt32(UInt8(ascii: "."))
        room.storeBytes(of: fraction.littleEndian, toByteOffset: start + 10, as: UInt32.self)
        // The blank of a group is overwritten by the group before it.
        let whole = UInt32(truncatingIfNeeded: integer)
        let (thousands, last) = whole.quotientAndRemainder(dividingBy: 1000)
        var (position, first) = (start + 6, last)
        if thousands > 0 {
            store(groups, last, in: &room, at: position)
            let (millions, middle) = thousands.quotientAndRemainder(dividingBy: 1000)
            (position, first) = (start + 3, middle)
            if millions > 0 {
                store(groups, middle, in: &room, at: position)
                (position, first) = (start, millions)
            }
        }
        store(leading, first, in: &room, at: position)
        guard value < 0, thousandths > 0 else { return }
        let sign = position + (first < 10 ? 2 : first < 100 ? 1 : 0)
        room.storeBytes(of: UInt8(ascii: "-"), toByteOffset: sign, as: UInt8.self)
    }

    /// Stores a number below 1000 like `put(_:in:at:)`.
    func put(whole number: Int, in room: inout MutableRawSpan, at start: Int) {
        store(
            leading, UInt32(truncatingIfNeeded: number), in: &room, at: start + 6)
        room.storeBytes(
            of: UInt32(0x3030_302E).littleEndian, toByteOffset: start + 10, as: UInt32.self)
    }

    @inline(__always)
    private func store(
        _ groups: [UInt32], _ number: UInt32, in room: inout MutableRawSpan, at position: Int
    ) {
        room.storeBytes(
            of: groups[Int(number)].littleEndian, toByteOffset: position, as: UInt32.self)
    }
}
