// SPDX-License-Identifier: MIT

extension EngineAccess {
    /// Returns a copy of the access for one address. Files that are not set are taken from
    /// environment variables. `environment` returns the value of a variable.
    ///
    /// All sources that a program reads share these variables, but a secret must not be sent to the
    /// server of another source. So each variable is used only for certain addresses:
    ///
    /// - `GPSBRIDGE_CREDENTIALS` and `GPSBRIDGE_NKEY` for NATS
    /// - `GPSBRIDGE_PASSWORD_FILE` for addresses with a user
    /// - `GPSBRIDGE_TOKEN_FILE` for addresses of NATS without a user
    /// - `GPSBRIDGE_CA`, `GPSBRIDGE_CERT` and `GPSBRIDGE_KEY` for all addresses
    ///
    /// Throws an error if a file with a secret is missing or can be read by others.
    package func completed(
        for url: EngineURL, from environment: (String) -> String?
    ) throws(FleetError) -> EngineAccess {
        func variable(_ name: String) -> String? { environment("GPSBRIDGE_\(name)") }
        func complete(_ file: inout SecretFile?, _ name: String) throws(FleetError) {
            guard file == nil, let path = variable(name) else { return }
            file = try SecretFile(path)
        }
        var access = self
        if url.engine == .nats {
            try complete(&access.credentials, "CREDENTIALS")
            try complete(&access.nkey, "NKEY")
        }
        if url.user != nil {
            try complete(&access.password, "PASSWORD_FILE")
        } else if url.engine == .nats {
            try complete(&access.password, "TOKEN_FILE")
        }
        access.authorities = authorities ?? variable("CA")
        access.certificate = certificate ?? variable("CERT")
        try complete(&access.key, "KEY")
        return access
    }
}
