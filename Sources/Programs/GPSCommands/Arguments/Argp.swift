// SPDX-License-Identifier: MIT
import CGPSArgp
import GNSS
import Glibc

/// The Swift interface to glibc's argp.
enum Argp {
    /// A base class that handles options and arguments. It has no generic parameters, because a C
    /// function calls it.
    class Handler {
        /// Handles an option's key with its value, an argument (`cargp_word`) or the end
        /// (`cargp_end`). Returns 0, or an `errno` that stops parsing.
        func take(_ key: CInt, _ value: String) -> CInt { 0 }
    }

    /// The words of the command line, starting with the program's name. Words that are not valid
    /// UTF-8 are preserved, because they may be file names.
    static var processWords: [String] {
        (0..<cargp_word_count()).compactMap { index in
            cargp_word_at(index).map { FileName.string(terminated: $0) }
        }
    }

    /// Sets the width of help texts in columns. Call it before other threads start.
    static func setColumns(_ columns: Int) { cargp_set_columns(CInt(columns)) }

    /// Parses a program's arguments. `--help` and invalid options end the process.
    ///
    /// The corresponding C function is `argp_parse`.
    static func parse(
        _ program: String, _ words: [String], _ table: OptionTable, usage: String, doc: String,
        _ handler: Handler
    ) -> CInt {
        // argp changes the order of the arguments.
        var arguments = ([program] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        // Safety: argp calls `forward` only within this call, which keeps the handler alive.
        return withExtendedLifetime(handler) {
            cargp_parse(
                table.options, usage, doc, CInt(words.count + 1), &arguments, forward,
                Unmanaged.passUnretained(handler).toOpaque())
        }
    }

    /// Makes the process exit with status 1 if the text of `--help` or `--version` could not be
    /// written, which argp does not check. A closed pipe is not an error. Call it once, when the
    /// program starts.
    static func checkOutputAtExit() {
        atexit {
            let error = cargp_flush_output()
            guard error != 0, error != EPIPE else { return }
            StandardError.print(
                CommandFailure(writing: StandardOutput.ownName, errno: error).description)
            _exit(1)
        }
    }

    private static let forward: cargp_handler = { key, value, context in
        guard let context else { return EINVAL }
        // Safety: `parse` passes its handler, and keeps it alive.
        let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        return handler.take(key, value.map { String(cString: $0) } ?? "")
    }
}
