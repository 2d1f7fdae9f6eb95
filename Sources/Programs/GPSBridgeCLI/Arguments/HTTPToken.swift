// SPDX-License-Identifier: MIT
import GPSIO
import GPSServer
import Glibc

/// The token that HTTP clients of the live page must present.
///
/// It is not passed as an argument, because every user of the machine can see the command line.
enum HTTPToken {
    /// The reason why the option `--http-token` is rejected.
    static let refusal =
        "would show the token to every user of this machine: put it into a file for --http-token-file FILE, "
        + "into the variable \(variable), or into systemd's credential \(credential)"

    private static let variable = "GPSBRIDGE_HTTP_TOKEN"
    private static let credential = "http-token"
    /// The maximum size of a token file in bytes.
    private static let maximumSize = 1024

    /// Returns the token from the first source that is set: the file, the environment variable, or
    /// systemd's credential. Returns `nil` if none is set.
    ///
    /// - Throws: `CommandFailure` if a token exists but cannot be read or is not valid.
    static func find(file: String?) throws -> String? {
        if let file { return try token(inFile: file) }
        if let value = getenv(variable) { return try token(String(cString: value), of: variable) }
        guard let folder = getenv("CREDENTIALS_DIRECTORY") else { return nil }
        let path = "\(String(cString: folder))/\(credential)"
        return access(path, F_OK) == 0 ? try token(inFile: path, isCredential: true) : nil
    }

    private static func token(inFile path: String, isCredential: Bool = false) throws -> String {
        if let refusal = RegularFile.secretRefusal(path, isCredential: isCredential) {
            throw CommandFailure(refusal)
        }
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.bytes(of: path, limit: maximumSize)
        } catch {
            throw CommandFailure("cannot read the token in \(path): \(error)")
        }
        var text = String(decoding: bytes, as: UTF8.self)
        // CR LF is a single `Character`.
        if text.last == "\n" || text.last == "\r\n" { text.removeLast() }
        return try token(text, of: path)
    }

    private static func token(_ text: String, of source: String) throws(CommandFailure) -> String {
        guard PageConfiguration.isToken(text) else {
            let what = text.isEmpty ? "contains no token" : "contains no valid token"
            throw CommandFailure(
                "\(source) \(what): a token consists of 12 or more of the characters "
                    + "A-Z a-z 0-9 - . _ ~")
        }
        return text
    }
}
