// SPDX-License-Identifier: MIT

extension BaudRate {
    /// The rates that receivers use, the most usual first: the order in which they are tried.
    public static let usual: [BaudRate] = [
        9600, 115_200, 38_400, 4800, 57_600, 230_400, 460_800, 921_600, 19_200,
    ].compactMap { BaudRate(rawValue: $0) }
}
