// SPDX-License-Identifier: MIT

/// The protocols in which a simulated receiver sends.
public enum OutputProtocols: String, CaseIterable, Hashable, Sendable {
    /// NMEA 0183 sentences.
    case nmea
    /// u-blox's binary UBX frames.
    case ubx
    /// UBX frames and NMEA sentences of the same epochs.
    case both

    var sendsNMEA: Bool { self != .ubx }
    var sendsUBX: Bool { self != .nmea }
}
