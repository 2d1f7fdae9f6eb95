// SPDX-License-Identifier: MIT
import Server

/// Where the time goes.
enum ClockArguments {
    /// Parses a unit of NTP's shared memory.
    static func unit(_ text: String) throws -> Int {
        let units = SharedMemoryClock.units
        guard let unit = Int(text), units.contains(unit) else {
            throw UsageError(
                "unit '\(text)' of NTP's shared memory is not a whole number from \(units.lowerBound) to "
                    + "\(units.upperBound)")
        }
        return unit
    }

    /// Parses the path of a socket of chronyd's.
    static func socket(_ text: String) throws -> String {
        guard !text.isEmpty else {
            throw UsageError("'' is not the path of a socket, as in /run/chrony.gps.sock")
        }
        return text
    }

    /// Pulses have a unit of their own.
    static func check(_ clocks: ClockConfiguration) throws {
        let last = SharedMemoryClock.units.upperBound
        guard clocks.pulseDevice != nil, clocks.sharedMemoryUnits.contains(last) else { return }
        throw UsageError(
            "with --pps there is no unit behind \(last) for the pulses: give a lower --shm")
    }
}
