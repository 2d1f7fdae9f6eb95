// SPDX-License-Identifier: MIT

extension Double {
    /// Parses a decimal number, `NaN` or infinity. Swift's initializer would also read hexadecimal
    /// digits: a latitude of `0x10` is not 16 degrees.
    init?(decimal text: some StringProtocol) {
        guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }),
            let number = Double(text)
        else { return nil }
        self = number
    }
}
