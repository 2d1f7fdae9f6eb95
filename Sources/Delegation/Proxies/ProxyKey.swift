// SPDX-License-Identifier: MIT

/// Which of a host's slots a proxy is for: two slots may have the same protocol.
struct ProxyKey: Hashable, Sendable {
    let delegate: ObjectIdentifier
    let slot: String
}
