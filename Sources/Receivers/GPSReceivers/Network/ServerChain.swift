// SPDX-License-Identifier: MIT
import GNSS
import Synchronization

/// The names of a server and of all servers that read its data, directly or through other servers.
/// They reveal a ring of servers, in which each one would receive its own data again, endlessly.
///
/// A server sends these names when it connects to another server. That server does not learn of
/// readers that connect later, so some rings of three or more servers are not detected.
package final class ServerChain: Sendable {
    /// The maximum number of names. Each takes 13 bytes of a request, which has at most 4096.
    private static let maximumCount = 64

    /// The server's random name.
    package let name = String(hexadecimal: .random(in: 0..<1 << 48), width: 12)
    /// The names that each client has sent.
    private let readers = Mutex<[ObjectIdentifier: Set<String>]>([:])

    /// Returns whether a text has the form of a server's name: at most twelve hexadecimal digits.
    /// Other texts must not become part of a request.
    package static func isName(_ text: Substring) -> Bool {
        text.utf8.count <= 12 && text.allSatisfy(\.isHexDigit)
    }

    /// Creates the chain of a server without readers.
    package init() {}

    /// The names of the server and of all servers that read it.
    package var names: Set<String> {
        readers.withLock { readers in
            readers.values.reduce(into: Set([name])) { names, others in
                names.formUnion(others.prefix(max(0, Self.maximumCount - names.count)))
            }
        }
    }

    /// Stores the names that a client has sent. `names` is empty for a client that is not a server.
    package func set(_ names: Set<String>, of client: ObjectIdentifier) {
        readers.withLock { $0[client] = names.isEmpty ? nil : names }
    }
}

extension DeviceSource {
    /// Returns this source with the chain of the server that reads it. The source sends the names
    /// in the chain to the servers that it reads.
    package func read(by chain: ServerChain) -> any DeviceSource {
        if var server = self as? GPSDSource {
            server.chain = chain
            return server
        }
        guard let vote = self as? ConsensusSource else { return self }
        return ConsensusSource(
            vote.members.map { member in
                var member = member
                member.source = member.source.read(by: chain)
                return member
            })
    }
}
