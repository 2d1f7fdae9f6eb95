// SPDX-License-Identifier: MIT
import GNSS
package import GPSConfiguration
import GPSReceivers

/// A change of a receiver that a client requested with `?DEVICE` or `?CONFIGURE`.
package struct ReceiverChange: Hashable, Sendable {
    /// The reason why a change is refused.
    struct Refusal: Error, Equatable, CustomStringConvertible, Sendable {
        /// The message for the client.
        package let message: String
        /// The same message, for the log.
        package var description: String { message }
    }

    /// The path of the device.
    package let path: String
    /// The requested settings and actions; `nil` if there are none, or only bytes to write.
    package var request: ConfigurationRequest?
    /// The bytes to write to the receiver; `nil` for none.
    package var bytes: [UInt8]?
    /// Whether the request was `?CONFIGURE`. It is answered with `CONFIGURE` objects.
    package var isConfigure = false

    /// Parses the members of `?DEVICE`. Ignores unknown members, values of a wrong type, and
    /// settings that the receiver already has.
    ///
    /// Throws a ``Refusal`` for a setting that is not supported.
    init(device members: [String: JSONScalar], of device: ServedDevice) throws(Refusal) {
        path = device.path
        var settings = ReceiverConfiguration()
        if case .number(let value)? = members["bps"] {
            // At an uncommon rate, the baud rate search would never find the receiver again.
            guard let rate = Int(exactly: value).flatMap(BaudRate.init(rawValue:)),
                rate.rawValue == device.rate || BaudRate.common.contains(rate)
            else {
                throw Refusal(message: "Not a supported baud rate: \(Number.short(value)) bps.")
            }
            if rate.rawValue != device.rate { settings.baudRate = rate.rawValue }
        }
        if let parity = members["parity"]?.text, parity.uppercased() != "N" {
            throw Refusal(message: "Only parity N is supported.")
        }
        if case .number(let value)? = members["stopbits"], value != 1 {
            throw Refusal(message: "Only 1 stop bit is supported.")
        }
        if case .number(let value)? = members["native"], value != Double(device.native) {
            throw Refusal(message: "Can't change native: see ?CONFIGURE for messages.")
        }
        if case .number(let value)? = members["cycle"], !Self.isEqual(value, device.cycle) {
            guard 0.025...10 ~= value else {
                throw Refusal(message: "Not a supported cycle: \(Number.short(value)) s.")
            }
            settings.rate = 1 / value
        }
        if let text = members["hexdata"]?.text {
            bytes = try Self.bytes(hexadecimal: text)
        }
        if !settings.isEmpty {
            var request = ConfigurationRequest()
            request.configuration = settings
            self.request = request
        }
    }

    /// Parses the members of `?CONFIGURE`. A request without settings only reads the receiver's
    /// settings.
    ///
    /// Throws a ``Refusal`` for settings or messages that can't be parsed.
    init(configure members: [String: JSONScalar], of device: ServedDevice) throws(Refusal) {
        path = device.path
        isConfigure = true
        var request = ConfigurationRequest()
        do throws(ConfigurationError) {
            if let text = members["settings"]?.text {
                request.configuration = try ReceiverConfiguration(toml: text)
            }
            if let text = members["messages"]?.text {
                request.messages = try DescribedMessage.messages(in: text)
            }
        } catch {
            throw Refusal(message: "\(error)")
        }
        if let text = members["restart"]?.text {
            guard let restart = ConfigurationRequest.Restart(rawValue: text) else {
                throw Refusal(message: "Not a kind of restart: \(text.prefix(20)).")
            }
            request.restart = restart
        }
        request.saves = members["save"]?.flag ?? false
        request.resetsToFactory = members["factoryReset"]?.flag ?? false
        request.isDryRun = members["dryRun"]?.flag ?? false
        request.readsStoredValues = members["stored"]?.flag ?? false
        self.request = request
    }

    /// Whether there is nothing to change and nothing to write.
    var isEmpty: Bool { request == nil && bytes == nil }

    private static func isEqual(_ value: Double, _ cycle: Double?) -> Bool {
        // `DEVICE` reports the cycle with two decimals.
        cycle.map { ($0 - value).magnitude < 0.006 } ?? false
    }

    private static func bytes(hexadecimal text: String) throws(Refusal) -> [UInt8] {
        do throws(ConfigurationError) {
            return try DescribedMessage.messages(in: "hex \(text)").flatMap(\.bytes)
        } catch {
            throw Refusal(
                message: error.code == .forbidden ? "Refused: \(error)." : "Invalid hexdata.")
        }
    }
}
