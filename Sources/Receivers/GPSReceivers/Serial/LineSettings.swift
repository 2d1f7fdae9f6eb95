// SPDX-License-Identifier: MIT

/// The settings of a serial line: speed and character format.
public struct LineSettings: Hashable, Sendable, CustomStringConvertible {
    /// The baud rate.
    public var baudRate: BaudRate
    /// The character format: data bits, parity and stop bits.
    public var format: CharacterFormat

    /// Creates settings. The default format is 8N1, which nearly every receiver uses.
    public init(_ baudRate: BaudRate, _ format: CharacterFormat = .eightN1) {
        self.baudRate = baudRate
        self.format = format
    }

    /// The settings as text: `9600 baud` or `4800 baud 7N2`.
    public var description: String {
        switch format {
        case .eightN1: "\(baudRate) baud"
        case .sevenN2: "\(baudRate) baud 7N2"
        }
    }
}

/// The format of a character on a serial line.
public enum CharacterFormat: Sendable {
    /// 8 data bits, no parity, 1 stop bit. Nearly every receiver uses this format.
    case eightN1
    /// 7 data bits, no parity, 2 stop bits.
    case sevenN2
}
