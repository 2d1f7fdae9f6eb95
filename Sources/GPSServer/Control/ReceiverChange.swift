// SPDX-License-Identifier: MIT
import GNSS
package import GPSReceivers

/// A client's change of a receiver: the settings of its `?DEVICE` that differ from the present ones.
package struct ReceiverChange: Hashable, Sendable {
    /// The reason for refusing a change.
    package struct Refusal: Error, Equatable, Sendable {
        /// For the client.
        package let message: String
    }

    /// The path of the device.
    package let path: String
    /// The new baud rate.
    package var baudRate: BaudRate?
    /// Milliseconds between its fixes.
    package var period: Int?
    /// Bytes to be written to it.
    package var bytes: [UInt8]?

    /// Creates a change without effect.
    package init(path: String) {
        self.path = path
    }

    /// Parses the members of a request. Unknown members, and values that are none, are ignored.
    ///
    /// Throws a ``Refusal`` for settings that cannot be made here.
    init(_ members: [String: JSONScalar], of device: ServedDevice) throws(Refusal) {
        path = device.path
        if case .number(let value)? = members["bps"] {
            // A rate that is not searched for would be lost for good.
            guard let rate = Int(exactly: value).flatMap(BaudRate.init(rawValue:)),
                rate.rawValue == device.baudRate || BaudRate.common.contains(rate)
            else { throw Refusal(message: "No receiver's rate: \(value.shortText) bps.") }
            if rate.rawValue != device.baudRate { baudRate = rate }
        }
        if let parity = members["parity"]?.text, parity.uppercased() != "N" {
            throw Refusal(message: "Only parity N is supported.")
        }
        if case .number(let value)? = members["stopbits"], value != 1 {
            throw Refusal(message: "Only 1 stop bit is supported.")
        }
        if case .number(let value)? = members["native"], value != 0 {
            throw Refusal(message: "Only NMEA is supported, which is native 0.")
        }
        if case .number(let value)? = members["cycle"], !Self.isEqual(value, device.cycle) {
            guard 0.025...10 ~= value else {
                throw Refusal(message: "No receiver's cycle: \(value.shortText) s.")
            }
            period = Int((value * 1000).rounded())
        }
        if let text = members["hexdata"]?.text {
            guard let bytes = Self.bytes(hexadecimal: text) else {
                throw Refusal(message: "Invalid hexdata.")
            }
            self.bytes = bytes
        }
    }

    /// Whether the change has no effect.
    var isEmpty: Bool { baudRate == nil && period == nil && bytes == nil }

    private static func isEqual(_ value: Double, _ cycle: Double?) -> Bool {
        // `DEVICE` has two decimals.
        cycle.map { ($0 - value).magnitude < 0.006 } ?? false
    }

    private static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}

extension Double {
    /// The number, without decimals if it is whole.
    fileprivate var shortText: String {
        Int(exactly: self).map(String.init) ?? "\(self)"
    }
}
