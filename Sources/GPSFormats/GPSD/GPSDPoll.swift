// SPDX-License-Identifier: MIT
import GNSS

/// The objects in gpsd's answers to `?POLL`. They contain the last `TPV`, `GST` and `SKY` of each
/// device. A program that asks more often than the receiver reports gets the same ones again.
struct GPSDPoll {
    /// The maximum number of devices to distinguish.
    private static let maximumDevices = 64

    /// The time of the last `TPV` of each device.
    private var times: [String: UTCTime] = [:]
    /// The devices whose last `TPV` repeated the time of the `TPV` before it.
    private var repeating: Set<String> = []

    /// Returns the key of an object: its own or, without a time, that of the `TPV` before it.
    /// Returns `nil` if the object is repeated.
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
