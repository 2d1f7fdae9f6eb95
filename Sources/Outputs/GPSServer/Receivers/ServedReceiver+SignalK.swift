// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSReceivers
import GPSIO
import Synchronization

extension ServedReceiver.State {
    /// The current time; for a recording, the time of its last fix. `nil` if the time is unknown.
    fileprivate var time: UTCTime? { device.origin == .replay ? lastTime : SystemClock.now }
}

extension ServedReceiver {
    /// Reports to Signal K clients and on NMEA 2000 that the position and other values are no
    /// longer known. If the loss is expected, as when a client removes the receiver, it is not an
    /// alarm.
    func publishLoss(isExpected: Bool = false) {
        if let delta = delta({ $0.lost(time: $1) }) { hub.publish(delta) }
        publishAlarms { $0.alarmsOfLoss(isExpected: isExpected, time: $1) }
        nmea2000?.lost()
    }

    /// Sends the Signal K message about changed alarms that `make` creates, and stores the active
    /// alarms for new clients. `make` receives the message's time. It is called even if there are
    /// no clients. After a call with `isLast`, further calls have no effect.
    func publishAlarms(
        isLast: Bool = false, _ make: (inout SignalKReports, UTCTime?) -> [UInt8]?
    ) {
        // The lock is held until the alarms are stored, so that older ones never replace newer ones.
        state.withLock { state in
            guard !state.hasEndedAlarms else { return }
            state.hasEndedAlarms = isLast
            let time = state.time
            guard let line = make(&state.signalK, time) else { return }
            hub.setAlarms(state.signalK.activeAlarms(time: time), of: source.name)
            hub.publish(Report(.signalK, device: state.device.path, bytes: line))
        }
    }

    /// Returns the Signal K message that `make` creates; `nil` if there are no Signal K clients or
    /// nothing has changed. `make` receives the message's time.
    func delta(_ make: (inout SignalKReports, UTCTime?) -> [UInt8]?) -> Report? {
        guard hub.wantsSignalK else { return nil }
        return state.withLock { state in
            let time = state.time
            return make(&state.signalK, time).map {
                Report(.signalK, device: state.device.path, bytes: $0)
            }
        }
    }
}
