// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSViews
import NMEA

/// Updates of a session whose source is a tty.
extension ScreenModel {
    mutating func didReceive(_ update: ReceiverUpdate, at moment: ClockReading) {
        didReceive(update, from: .serial("/dev/ttyUSB0"), at: moment)
    }

    mutating func opened(_ device: String, at moment: ClockReading) {
        didReceive(.condition(.open(device: device, problem: nil), after: .searching), at: moment)
    }

    mutating func unavailable(_ error: DeviceError, at moment: ClockReading) {
        didReceive(.condition(.waiting(error), after: .searching), at: moment)
    }

    mutating func silent(at moment: ClockReading) {
        let open = ReceiverCondition.open(device: name, problem: nil)
        didReceive(.condition(.silent(device: name, seconds: 10), after: open), at: moment)
    }

    /// A silent receiver sends again.
    mutating func isBack(at moment: ClockReading) {
        let open = ReceiverCondition.open(device: name, problem: nil)
        didReceive(
            .condition(open, after: .silent(device: name, seconds: 10)), at: moment)
    }

    mutating func lost(at moment: ClockReading) {
        let error = DeviceError(.disconnected, device: name)
        let open = ReceiverCondition.open(device: name, problem: nil)
        didReceive(.condition(.lost(error), after: open), at: moment)
    }

    mutating func ended(_ error: DeviceError? = nil, at moment: ClockReading) {
        let ending = ReceiverCondition.Ending(Statistics(), error)
        let open = ReceiverCondition.open(device: name, problem: nil)
        didReceive(.condition(.ended(ending), after: open), at: moment)
    }

    mutating func didReceive(
        fix: Fix, satellites view: SatelliteView, at moment: ClockReading
    ) {
        let epoch = ReceiverEpoch(
            fix: fix, satellites: view, arrival: nil, device: name, origin: origin)
        didReceive(.epoch(epoch), at: moment)
    }
}
