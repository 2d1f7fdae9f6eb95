// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO
import Synchronization

extension ServedReceiver {
    /// Reports to Signal K clients and on NMEA 2000 that the position and other values are no
    /// longer known.
    func publishLoss() {
        if let delta = delta({ $0.lost(time: $1) }) { hub.publish(delta) }
        nmea2000?.lost()
    }

    /// Returns the Signal K message that `make` creates; `nil` if there are no Signal K clients or
    /// nothing has changed. `make` receives the message's time.
    func delta(_ make: (inout SignalKReports, UTCTime?) -> [UInt8]?) -> Report? {
        guard hub.wantsSignalK else { return nil }
        return state.withLock { state in
            // For a recording, this is the time of its last fix, not the current time.
            let time = state.device.origin == .replay ? state.lastTime : SystemClock.now
            return make(&state.signalK, time).map {
                Report(.signalK, device: state.device.path, bytes: $0)
            }
        }
    }
}
