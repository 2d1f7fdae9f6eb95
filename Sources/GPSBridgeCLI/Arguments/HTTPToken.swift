// SPDX-License-Identifier: MIT
import GNSS
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
        return access(path, F_OK) == 0 ? try token(inFile: path) : nil
    }

    private static func token(inFile path: String) throws -> String {
        let bytes = try bytes(ofFile: path)
        guard bytes.count <= maximumSize else {
            throw CommandFailure(
                "cannot read the token in \(path): the file is longer than \(maximumSize) bytes")
        }
        var text = String(decoding: bytes, as: UTF8.self)
        // CR LF is a single `Character`.
        if text.last == "\n" || text.last == "\r\n" { text.removeLast() }
        return try token(text, of: path)
    }

    /// Reads a file until it ends or is too long for a token. Throws a `CommandFailure` if users
    /// other than the owner and its group have access to the file.
    ///
    /// The corresponding C functions are `fstat` and `read`.
    private static func bytes(ofFile path: String) throws -> [UInt8] {
        func failed(_ error: CInt) -> CommandFailure {
            CommandFailure("cannot read the token in \(path): \(String(cString: strerror(error)))")
        }
        var status = stat()
        let file = open(FileName.native(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw failed(errno) }
        defer { close(file) }
        guard fstat(file, &status) == 0 else { throw failed(errno) }
        guard [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT) else {
            throw CommandFailure("cannot read the token in \(path): it is not a regular file")
        }
        guard status.st_mode & 0o007 == 0 else {
            throw CommandFailure(
                "every user of this machine can read the token in \(path): "
                    + "run `chmod 600 \(path)`, and choose another token")
        }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: maximumSize + 1)
        while bytes.count <= maximumSize {
            // A pipe, such as the shell's <(…), may have no writer yet.
            try Signals.wait(for: file, POLLIN)
            let count = read(file, &room, room.count)
            if count < 0, [EINTR, EAGAIN].contains(errno) { continue }
            guard count >= 0 else { throw failed(errno) }
            guard count > 0 else { break }
            bytes += room.prefix(count)
        }
        return bytes
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
