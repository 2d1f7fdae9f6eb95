// SPDX-License-Identifier: MIT
import GNSS

/// The objects in gpsd's answers to `?POLL`. They contain the last `TPV`, `GST` and `SKY` of each
/// device. A program that asks more often than the receiver reports receives the same objects
/// again.
struct GPSDPoll {
    /// The maximum number of devices to distinguish.
    private static let maximumDevices = 64

    /// The time of the last `TPV` of each device.
    private var times: [String: UTCTime] = [:]
    /// The devices whose last `TPV` repeated the time of the `TPV` before it.
    private var repeating: Set<String> = []

    /// Returns the device and the time of an object of the class `name`. An object without a time
    /// gets the time of the device's last `TPV`. Returns `nil` if the object is only repeated.
    mutating func key(_ name: String?, _ key: GPSDJoin.Key) -> GPSDJoin.Key? {
        let device = key.device ?? ""
        guard name == "TPV" else {
            guard !repeating.contains(device) else { return nil }
            return GPSDJoin.Key(device: key.device, time: key.time ?? times[device])
        }
        if let time = key.time, time == times[device] {
            repeating.insert(device)
            return nil
        }
        repeating.remove(device)
        if times[device] != nil || times.count < Self.maximumDevices { times[device] = key.time }
        return key
    }
}
