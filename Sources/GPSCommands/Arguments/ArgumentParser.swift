// SPDX-License-Identifier: MIT
import CGPSArgp
import GNSS
import Glibc
import SimulatedDevices

/// Parses a command's arguments, with GNU's conventions for help and abbreviations.
package struct ArgumentParser<C: Command> {
    private let program: String
    private let words: [String]

    /// Creates a parser of a program's arguments.
    package init(_ program: String, _ words: [String]) {
        self.program = program
        self.words = words
    }

    /// Returns `command` with the arguments applied. `--help`, `--version` and usage errors end the
    /// process.
    package func parse(_ command: C) throws -> C {
        let assembly = Assembly(command)
        let table = OptionTable(
            C.options.map {
                OptionTable.Entry(
                    name: $0.name, letter: $0.letter, value: $0.value, help: $0.help,
                    formerName: $0.formerName, isValueOptional: $0.isValueOptional,
                    isHidden: $0.isHidden)
            })
        defer { table.free() }
        let details = LineWrapping.wrapped(C.details, width: LineWrapping.columns - 2)
        let doc = details.isEmpty ? C.summary : "\(C.summary)\u{0B}\(details)"
        cargp_set_version("gpsbridge \(Release.version)")
        let status = Argp.parse(program, words, table, usage: C.words, doc: doc, assembly)
        if let error = assembly.error { throw error }
        guard status == 0 else { throw UsageError(String(cString: strerror(status))) }
        return assembly.command
    }
}

/// Applies options and arguments to a command as argp reports them.
private final class Assembly<C: Command>: Argp.Handler {
    var command: C
    var error: (any Error)?
    /// The single-use options that have been given.
    private var given: Set<String> = []

    init(_ command: C) {
        self.command = command
    }

    override func take(_ key: CInt, _ value: String) -> CInt {
        do {
            if key == CInt(cargp_word) {
                guard !value.isEmpty else {
                    throw UsageError(
                        "an argument is empty: \(C.words.isEmpty ? "leave it out" : C.words)")
                }
                try command.addArgument(value)
            } else if key >= OptionTable.firstKey {
                let index = Int(key - OptionTable.firstKey)
                if index < C.options.count { try apply(C.options[index], value) }
            } else if let option = C.options.first(where: { $0.key == key }) {
                try apply(option, value)
            }
            return 0
        } catch {
            self.error = error
            return EINVAL
        }
    }

    private func apply(_ option: CommandOption<C>, _ value: String) throws {
        if value.isEmpty, let name = option.value, !option.isValueOptional {
            throw UsageError("--\(option.name) is empty: it needs \(name)")
        }
        // An invalid value is reported before a repetition.
        try option.apply(&command, value)
        guard option.isSingle, !given.insert(option.name).inserted else { return }
        throw UsageError("--\(option.name) can be given once")
    }
}

extension CommandOption {
    fileprivate var key: CInt? { letter?.asciiValue.map { CInt($0) } }
}
