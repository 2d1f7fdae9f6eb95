// SPDX-License-Identifier: MIT

/// Creates dialects by receiver family.
enum Dialects {
    /// Creates the dialect for a receiver.
    static func dialect(
        for identity: ReceiverIdentity, line: ConfigurationLine
    ) -> any Dialect {
        switch identity.family {
        case .ublox: UBXDatabaseDialect(identity, line: line)
        case .ubloxLegacy: UBXLegacyDialect(identity, line: line)
        case .casic: CASICDialect(identity)
        case .mediaTek: MediaTekDialect(identity)
        case .airoha: AirohaDialect(identity)
        case .quectel: QuectelDialect(identity)
        case .unicore: UnicoreDialect(identity, line: line)
        case .unidentified: UnidentifiedDialect()
        }
    }
}
