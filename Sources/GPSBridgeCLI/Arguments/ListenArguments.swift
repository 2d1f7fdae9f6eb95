// SPDX-License-Identifier: MIT
import GPSServer

/// Parses and checks addresses that a server listens on.
enum ListenArguments {
    /// Parses an address.
    static func address(_ text: String, defaultPort: UInt16) throws -> ListenAddress {
        guard let address = ListenAddress(text, defaultPort: defaultPort) else {
            throw UsageError(
                "'\(text)' is not an address to listen on: give a port from 0 to 65535, as in \(defaultPort), "
                    + "localhost:\(defaultPort) or *:\(defaultPort), or the path of a Unix socket")
        }
        return address
    }

    /// Warns if other machines can see where the receivers are.
    static func warn(_ configuration: ServerConfiguration) {
        for address in configuration.gpsd where !address.isLocal {
            let control = configuration.allowsControl ? ", and can change them" : ""
            warn(address, control + ": give an address in a network that you trust")
        }
        for output in configuration.sentences {
            guard case .clients(let address) = output.destination, !address.isLocal else {
                continue
            }
            warn(address, ": give an address in a network that you trust")
        }
        guard configuration.page.token == nil else { return }
        for address in configuration.http where !address.isLocal {
            warn(
                address,
                ", and have been in the last hour: give --http-token-file, or have a reverse proxy ask for a password"
            )
        }
    }

    private static func warn(_ address: ListenAddress, _ rest: String) {
        StandardError.print(
            "warning: other machines can reach \(address) and see where the receivers are\(rest)")
    }
}
