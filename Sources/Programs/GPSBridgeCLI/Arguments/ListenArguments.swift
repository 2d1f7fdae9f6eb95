// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSServer

/// Parses the addresses on which a server listens, and warns about them.
enum ListenArguments {
    /// Parses an address. Throws a `UsageError` if it is not valid.
    static func address(_ text: String, defaultPort: UInt16) throws -> ListenAddress {
        guard let address = ListenAddress(text, defaultPort: defaultPort) else {
            throw UsageError(
                "not an address to listen on: '\(text)' (expected a port from 0 to 65535, as in "
                    + "\(defaultPort), localhost:\(defaultPort) or *:\(defaultPort), or the path "
                    + "of a Unix socket)")
        }
        return address
    }

    /// Returns the name of a network interface. Throws a `UsageError` if it is not valid.
    static func interface(_ text: String) throws -> String {
        guard 1...15 ~= text.utf8.count, !text.contains(where: { $0 == "/" || $0.isWhitespace })
        else {
            throw UsageError(
                "not the name of a network interface: '\(text)' (expected one such as can0)")
        }
        return text
    }

    /// Throws a `UsageError` if the addresses of two services overlap. Without this check, the
    /// second service would fail with the misleading error that another program uses its port.
    static func checkDistinct(_ configuration: ServerConfiguration) throws {
        let addresses =
            configuration.gpsd + sentences(configuration) + configuration.signalK
            + configuration.http
        for (index, address) in addresses.enumerated() {
            guard let other = addresses[..<index].first(where: { $0.overlaps(address) }) else {
                continue
            }
            throw UsageError(
                other == address
                    ? "\(address) is used twice"
                        + (ServerConfiguration().gpsd == [address]
                            ? " (the server for gpsd's protocol listens on it by default)" : "")
                        + ": give each service its own address"
                    : "\(other) and \(address) overlap: give one of them another port")
        }
    }

    /// Warns if other machines can see the positions of the receivers. `refused` contains the
    /// addresses that are not served.
    static func warn(_ configuration: ServerConfiguration, except refused: [ListenAddress]) {
        func isOpen(_ address: ListenAddress) -> Bool {
            !address.isLocal && !refused.contains(address)
        }
        for address in configuration.gpsd where isOpen(address) {
            let control = configuration.allowsControl ? ", and can change the receivers" : ""
            warn(address, control + ": use an address in a network that you trust")
        }
        for address in sentences(configuration) + configuration.signalK where isOpen(address) {
            warn(address, ": use an address in a network that you trust")
        }
        guard configuration.page.token == nil else { return }
        for address in configuration.http where isOpen(address) {
            warn(
                address,
                ", and where they were in the last hour: use --http-token-file, or a reverse proxy that "
                    + "asks for a password"
            )
        }
    }

    /// Returns the addresses at which clients receive sentences.
    private static func sentences(_ configuration: ServerConfiguration) -> [ListenAddress] {
        configuration.sentences.compactMap { output in
            if case .clients(let address) = output.destination { address } else { nil }
        }
    }

    private static func warn(_ address: ListenAddress, _ rest: String) {
        StandardError.print(
            "warning: other machines can reach \(address) and see where the receivers are\(rest)",
            level: .warning)
    }
}
