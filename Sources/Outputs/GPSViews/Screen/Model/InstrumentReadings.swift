// SPDX-License-Identifier: MIT
import GNSS

/// The most recent value of each instrument. Instruments may send at another rate than the
/// receiver.
struct InstrumentReadings: Sendable {
    /// A value is shown for at most this time, in seconds.
    private static let limit = 10.0

    private var readings: [Instruments.Quantity: (value: Double, at: ClockReading)] = [:]

    /// Stores the known values of a fix with their time of arrival. Removes the stored values of
    /// instruments that now report an invalid value.
    mutating func add(_ instruments: Instruments, at moment: ClockReading) {
        guard !instruments.isEmpty else { return }
        for (quantity, value) in instruments.known { readings[quantity] = (value, moment) }
        for quantity in instruments.invalid { readings[quantity] = nil }
    }

    /// Returns the values that are recent enough to be shown.
    func current(at now: ClockReading) -> Instruments {
        var instruments = Instruments()
        for (quantity, reading) in readings where now.seconds(since: reading.at) <= Self.limit {
            instruments[quantity] = reading.value
        }
        return instruments
    }
}
