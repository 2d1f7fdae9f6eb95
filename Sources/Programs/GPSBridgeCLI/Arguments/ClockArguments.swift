// SPDX-License-Identifier: MIT
import GNSS
import GPSServer

/// Checks the options `--chrony`, `--shm` and `--pps`, which send the time to a clock daemon.
enum ClockArguments {
    /// Throws a `UsageError` if `--pps` cannot use its shared memory unit. With `--shm N`, the
    /// pulses use unit N + 1, which must exist and must not be the unit of another `--shm`.
    static func check(_ clocks: ClockConfiguration) throws {
        if let unit = clocks.unitWithTwoInputs {
            throw UsageError(
                "with --shm \(unit - 1), --pps uses shared memory unit \(unit), which "
                    + "--shm \(unit) uses as well: choose another unit instead of \(unit)"
            )
        }
        let last = SharedMemoryClock.units.upperBound
        guard clocks.pulseDevice != nil, clocks.sharedMemoryUnits.contains(last) else { return }
        throw UsageError(
            "with --shm \(last), --pps would use shared memory unit \(last + 1), but \(last) is "
                + "the last unit: give a lower unit to --shm"
        )
    }

    /// Throws a `UsageError` if `clocks` contains a socket of chrony or a shared memory unit. Call
    /// it for `--vote`: the time would jump when the selected receiver changes, because receivers
    /// report with different delays.
    static func refuse(_ clocks: ClockConfiguration) throws {
        guard !clocks.chronySockets.isEmpty || !clocks.sharedMemoryUnits.isEmpty else { return }
        throw UsageError(
            "--chrony and --shm need the time of one receiver: leave out --vote, or run "
                + "another `gpsbridge serve` with one receiver for --chrony and --shm"
        )
    }
}
