// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Glibc

/// A TOML file that contains options of a command. Its keys are the long names of the options.
///
/// The key `sources` contains the arguments that are not options.
struct ConfigurationFile: Sendable {
    /// The key for the arguments that are not options.
    static let sources = "sources"
    /// The maximum size in bytes.
    private static let sizeLimit = 1 << 20

    /// The path as it was given.
    let path: String
    let entries: [TOMLDocument.Entry]

    /// Reads and parses a file.
    init(_ path: String) throws(ConfigurationFileError) {
        self.path = path
        let (document, errors) = TOMLDocument.reading(try Self.text(path))
        guard errors.isEmpty else {
            throw ConfigurationFileError(path, errors)
        }
        entries = document.entries
    }

    private static func text(_ path: String) throws(ConfigurationFileError) -> String {
        // Without O_NONBLOCK, opening a pipe that no process writes to would wait for ever.
        let descriptor = open(FileName.native(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0, let file = fdopen(descriptor, "r") else {
            throw ConfigurationFileError("\(path): \(reason(errno))")
        }
        defer { fclose(file) }
        // Reading waits for a process that writes to the pipe, such as that of `<(…)`.
        _ = fcntl(descriptor, F_SETFL, O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: sizeLimit + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else {
            throw ConfigurationFileError("\(path): \(reason(errno))")
        }
        guard count > 0 || Node.Kind(of: descriptor) != .pipe else {
            throw ConfigurationFileError(
                "\(path): this pipe contains no data; check the program that writes to it")
        }
        guard count <= sizeLimit else {
            throw ConfigurationFileError(
                "\(path): the file is larger than \(sizeLimit) bytes; check the path given to "
                    + "--config")
        }
        return FileName.string(Array(bytes.prefix(count)))
    }

    /// Returns the reason why the file cannot be read, with advice. `error` is an `errno`.
    private static func reason(_ error: CInt) -> String {
        let advice =
            switch error {
            case ENOENT, ENOTDIR: "; check the path given to --config"
            case EISDIR: "; give --config the path of a file"
            case EACCES: "; permit this user to read it"
            default: ""
            }
        return String(cString: strerror(error)) + advice
    }

    /// The values by key.
    var values: [String: TOMLValue] {
        Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
    }
}

/// The errors in a configuration file, each with its line and column.
struct ConfigurationFileError: Error, CustomStringConvertible {
    /// The errors, such as `gpsbridge.toml:3:9: unknown key 'lisen'`.
    let lines: [String]

    /// Creates an error that concerns the whole file.
    init(_ line: String) {
        lines = [line]
    }

    /// Creates the errors found in the file at `path`.
    init(_ path: String, _ errors: [TOMLError]) {
        lines = errors.map { "\(path):\($0.line):\($0.column): \($0.reason)" }
    }

    /// All errors, one per line.
    var description: String { lines.joined(separator: "\n") }
}
