// SPDX-License-Identifier: MIT

/// A UBX message that a chip sends in each epoch, or once a second.
public enum ChipMessage: String, CaseIterable, Hashable, Sendable {
    /// The whole solution, with the fields of protocol 15 and later.
    case pvt = "NAV-PVT"
    /// The whole solution, as generation 7 sends it: eight bytes shorter.
    case shortPVT = "NAV-PVT (84 bytes)"
    /// The state of the solution.
    case status = "NAV-STATUS"
    /// The position to a tenth of a millimetre.
    case hpposllh = "NAV-HPPOSLLH"
    /// Satellites.
    case sat = "NAV-SAT"
    /// Satellites, as generations up to 7 send them.
    case svinfo = "NAV-SVINFO"
    /// Signals.
    case sig = "NAV-SIG"
    /// Dilutions of precision.
    case dop = "NAV-DOP"
    /// Covariances.
    case cov = "NAV-COV"
    /// The end of the epoch.
    case eoe = "NAV-EOE"
    /// The radio, once a second, up to generation 8.
    case monHW = "MON-HW"
    /// The radio, once a second.
    case monRF = "MON-RF"
    /// Jamming and spoofing, once a second.
    case secSIG = "SEC-SIG"

    /// Whether the message is sent once a second instead of once an epoch.
    var isPeriodic: Bool {
        switch self {
        case .monHW, .monRF, .secSIG: true
        default: false
        }
    }
}

/// The protocols that a simulated receiver sends.
public enum SimulatedProtocol: String, CaseIterable, Hashable, Sendable {
    /// Sentences. The default, as of a new receiver.
    case nmea
    /// UBX messages.
    case ubx
    /// UBX messages, then sentences.
    case both

    var sendsUBX: Bool { self != .nmea }
    var sendsNMEA: Bool { self != .ubx }
}
