// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc

extension ReceiverServer {
    /// Performs a command from the control socket. Returns gpsd's reply, `OK` or `ERROR`. `command`
    /// is `nil` if the client's command was malformed. The reason for an error is logged.
    func perform(_ command: DeviceCommand?) async -> String {
        var list = ""
        do {
            switch command {
            case .add(let name): try await add(source(name))
            case .remove(let name): try await remove(receiver(named: name, to: "remove"))
            case .write(let text, let isHexadecimal):
                let names = receivers.flatMap { [$0.device.path, $0.source.name] }
                let (name, content) = DeviceCommand.divide(text, names: names)
                let receiver = try await receiver(named: name, to: "write to")
                let digits =
                    isHexadecimal
                    ? String(content)
                    : content.utf8.map { String(hexadecimal: UInt64($0), width: 2) }.joined()
                let change = try ReceiverChange(
                    device: ["hexdata": .string(digits)], of: receiver.device)
                let answer = await receiver.perform(change) { _ in }
                guard answer.starts(with: ControlReports.acknowledgement) else {
                    throw ReceiverChange.Refusal(message: ControlReports.message(of: answer))
                }
            case .list: list = receivers.map { "\($0.device.path)\n" }.joined()
            case nil: throw ServerError(cannot: "read a command", errno: EINVAL)
            }
        } catch {
            log("control socket: \(error)", .error)
            return "ERROR\n"
        }
        return "\(list)OK\n"
    }

    /// Returns the receiver with this path or name, or the one that reads the source of this name.
    /// `action` is the verb for the error message, such as `remove`.
    private func receiver(
        named name: String, to action: String
    ) async throws(ServerError) -> ServedReceiver {
        let named = receivers.first { $0.device.path == name || $0.source.name == name }
        if let named { return named }
        // `gpsd://boat` is also `gpsd://boat:2947`, and a tty may have several links. If this is not
        // a source, there is no such receiver.
        guard let given = try? await source(name),
            let same = receivers.first(where: {
                $0.source.identity == given.identity || $0.source.readsSame(as: given)
            })
        else { throw ServerError(cannot: "\(action) \(name)", errno: ENODEV) }
        return same
    }

    private func source(_ name: String) async throws -> any DeviceSource {
        // Examining the source may wait for a slow disk.
        try await BackgroundExecutor.run { try configuration.controlSource(name) }
    }
}
