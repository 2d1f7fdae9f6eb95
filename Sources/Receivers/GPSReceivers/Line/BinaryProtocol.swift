// SPDX-License-Identifier: MIT

/// A binary protocol that a receiver may send instead of NMEA, or together with it. UBX is listed
/// although it is decoded, because a receiver may send only UBX frames without a position.
package enum BinaryProtocol: String, CaseIterable, Sendable {
    /// The protocol of u-blox.
    case ubx = "UBX"
    /// Corrections that a reference station sends to other receivers.
    case rtcm3 = "RTCM 3"
    /// The protocol of SiRF chips.
    case sirf = "SiRF binary"
    /// The Septentrio Binary Format.
    case sbf = "SBF"
    /// Trimble's TSIP, or Garmin's protocol, which has the same frame format.
    case dle = "TSIP or Garmin"

    /// Returns advice for the user on switching the receiver to NMEA. For a recording, the advice
    /// is to record it again after the switch.
    package func remedy(for device: String, isRecording: Bool) -> String {
        let remedy = remedy(for: device)
        return isRecording ? "record it again, but first \(remedy)" : remedy
    }

    private func remedy(for device: String) -> String {
        let tty = device.hasPrefix("/dev/") ? device : "TTY"
        return switch self {
        case .ubx:
            "switch NMEA or NAV-PVT on with `ubxtool -e NMEA` (package gpsd-clients) or u-blox's "
                + "u-center"
        case .sirf:
            "switch the receiver to NMEA with `gpsctl -n \(tty)` (package gpsd-clients), which "
                + "sends SiRF's command"
        case .sbf: "switch NMEA on with Septentrio's RxTools or the receiver's web page"
        case .dle: "switch the receiver to NMEA with the manufacturer's program"
        case .rtcm3:
            "enable NMEA with the manufacturer's program, because the receiver is set up as a reference station"
        }
    }

    /// Returns the protocol with the most frames and the number of its frames; `nil` if there are
    /// no frames.
    package static func most(
        of frames: [BinaryProtocol: Int]
    ) -> (kind: BinaryProtocol, count: Int)? {
        let most = frames.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
        return most.map { ($0.key, $0.value) }
    }

    /// The data that the receiver sends instead of positions, for an error message: `UBX without
    /// positions`, `SBF, not NMEA`.
    package var problem: String {
        self == .ubx ? "UBX without positions" : "\(rawValue), not NMEA"
    }

    /// Returns the error for a device or file that supplies this protocol instead of NMEA, with
    /// advice for the user.
    package func error(of device: String, isRecording: Bool = false) -> DeviceError {
        DeviceError(
            .binaryProtocol, device: device,
            detail: .binaryProtocol(
                name: problem, remedy: remedy(for: device, isRecording: isRecording)))
    }
}
