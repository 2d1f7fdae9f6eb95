// SPDX-License-Identifier: MIT
import GPSServer

/// Parses the values of options for clocks.
enum ClockArguments {
    /// Parses the path of a chronyd socket.
    static func socket(_ text: String) throws -> String {
        guard !text.isEmpty else {
            throw UsageError(
                "not the path of a socket: '' (expected /run/chrony.gps.sock or the like)")
        }
        return text
    }

    /// Checks that there is a shared memory unit for the pulses: the one after that of `--shm`.
    static func check(_ clocks: ClockConfiguration) throws {
        let last = SharedMemoryClock.units.upperBound
        guard clocks.pulseDevice != nil, clocks.sharedMemoryUnits.contains(last) else { return }
        throw UsageError(
            "--pps uses the shared memory unit after that of --shm, but \(last) is the last one: give a lower --shm"
        )
    }

    /// Throws if there is a clock: receivers differ in how late they report, so with each winner the time
    /// would step.
    static func refuse(_ clocks: ClockConfiguration) throws {
        guard !clocks.chronySockets.isEmpty || !clocks.sharedMemoryUnits.isEmpty else { return }
        throw UsageError(
            "--chrony and --shm need the time of one receiver: leave out --vote, or start another server for them"
        )
    }
}
