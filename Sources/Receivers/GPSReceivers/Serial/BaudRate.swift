// SPDX-License-Identifier: MIT

/// The speed of a serial line in bits per second.
public struct BaudRate: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The rate in bits per second, 1 to 4,000,000.
    public let rawValue: Int

    /// Creates a rate. Returns `nil` outside 1 to 4,000,000. A rate of 0 would hang up the line.
    public init?(rawValue: Int) {
        guard (1...4_000_000).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: Int) { rawValue = known }

    /// 4800 baud, the rate of NMEA 0183 and of many older receivers.
    public static let nmea = BaudRate(known: 4800)
    /// 9600 baud, the initial rate of most receivers.
    public static let `default` = BaudRate(known: 9600)

    /// The common rates of receivers, in the order in which they are tried.
    public static let common: [BaudRate] = [
        9600, 115_200, 38_400, 4800, 57_600, 230_400, 460_800, 921_600, 19_200,
    ].compactMap { BaudRate(rawValue: $0) }

    /// The number: `9600`.
    public var description: String { "\(rawValue)" }
}
