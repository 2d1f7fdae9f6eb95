// SPDX-License-Identifier: MIT
import GPSServer

/// The outputs of time.
enum ClockArguments {
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
            "--pps sends its pulses to the unit after --shm, and \(last) is the last one: give a lower --shm"
        )
    }
}
