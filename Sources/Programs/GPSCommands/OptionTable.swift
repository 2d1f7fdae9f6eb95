// SPDX-License-Identifier: MIT
import CGPSArgp
import GNSS
import Glibc

/// An option array for argp. It is valid until `free()` is called.
final class OptionTable {
    /// The first key for options without a letter. The key of an option with a letter is the
    /// letter's code.
    static let firstKey: CInt = 0x100

    let options: UnsafeMutablePointer<argp_option>
    private let count: Int
    private var strings: [UnsafeMutablePointer<CChar>?] = []

    init(_ entries: [OptionDescription]) {
        // Hidden options follow: former names and -h. The last entry terminates the table.
        let former = entries.enumerated().filter { $0.element.formerName != nil }
        count = entries.count + former.count + 2
        options = .allocate(capacity: count)
        options.initialize(repeating: argp_option(), count: count)
        for (index, entry) in entries.enumerated() {
            var option = argp_option()
            option.name = UnsafePointer(copy(entry.name))
            option.key = entry.letterKey ?? Self.key(of: index)
            option.arg = entry.value.flatMap { UnsafePointer(copy($0)) }
            option.doc = UnsafePointer(copy(entry.help))
            if entry.isValueOptional { option.flags |= CInt(OPTION_ARG_OPTIONAL) }
            if entry.isHidden { option.flags |= CInt(OPTION_HIDDEN) }
            options[index] = option
        }
        for (number, (index, entry)) in former.enumerated() {
            var option = options[index]
            option.name = entry.formerName.flatMap { UnsafePointer(copy($0)) }
            option.key = Self.key(of: index)
            option.doc = nil
            option.flags = CInt(OPTION_HIDDEN)
            options[entries.count + number] = option
        }
        options[count - 2].key = CInt(cargp_help)
        options[count - 2].flags = CInt(OPTION_HIDDEN)
    }

    /// Returns argp's key for the option at an index. The option has this key if it has no letter,
    /// or if it is given by its former name.
    private static func key(of index: Int) -> CInt { firstKey + CInt(index) }

    func free() {
        for string in strings { Glibc.free(string) }
        options.deinitialize(count: count)
        options.deallocate()
    }

    private func copy(_ text: String) -> UnsafeMutablePointer<CChar>? {
        let string = strdup(text)
        strings.append(string)
        return string
    }
}

extension OptionDescription {
    /// argp's key for the option when it is given by its letter.
    var letterKey: CInt? { letter?.asciiValue.map { CInt($0) } }
}

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
