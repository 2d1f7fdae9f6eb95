// SPDX-License-Identifier: MIT

/// How a character looks on a serial line.
public enum CharacterFormat: Sendable {
    /// 8 data bits, no parity, 1 stop bit: nearly every receiver.
    case eightN1
    /// 7 data bits, no parity, 2 stop bits.
    case sevenN2
}
