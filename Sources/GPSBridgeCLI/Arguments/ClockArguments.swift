// SPDX-License-Identifier: MIT
import GPSServer

/// Checks the options for clocks.
enum ClockArguments {
    /// Throws a `UsageError` if there is no shared memory unit for the pulses, or if that unit is
    /// also used for sentences. With `--shm N`, the pulses use unit N + 1.
    static func check(_ clocks: ClockConfiguration) throws {
        if let unit = clocks.unitWithTwoInputs {
            throw UsageError(
                "--pps uses unit \(unit), the shared memory unit after that of --shm: give the other --shm another unit"
            )
        }
        let last = SharedMemoryClock.units.upperBound
        guard clocks.pulseDevice != nil, clocks.sharedMemoryUnits.contains(last) else { return }
        throw UsageError(
            "--pps uses the shared memory unit after that of --shm, but \(last) is the last unit: give a lower "
                + "unit to --shm"
        )
    }

    /// Throws a `UsageError` if `--vote` is combined with clocks. The time would jump when the
    /// winner changes, because receivers report with different delays.
    static func refuse(_ clocks: ClockConfiguration) throws {
        guard !clocks.chronySockets.isEmpty || !clocks.sharedMemoryUnits.isEmpty else { return }
        throw UsageError(
            "--chrony and --shm need the time of one receiver: leave out --vote, or start another server for them"
        )
    }
}
