// SPDX-License-Identifier: MIT

/// The protocols in which a simulated receiver sends.
public enum OutputProtocols: String, CaseIterable, Hashable, Sendable {
    /// NMEA 0183 sentences.
    case nmea
    /// u-blox's binary UBX frames.
    case ubx
    /// Both UBX frames and NMEA sentences in each epoch.
    case both

    var sendsNMEA: Bool { self != .ubx }
    var sendsUBX: Bool { self != .nmea }
}
