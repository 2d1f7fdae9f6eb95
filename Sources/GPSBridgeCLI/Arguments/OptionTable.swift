// SPDX-License-Identifier: MIT
import CArgp
import Glibc

/// Options in the form that argp wants, alive until `free()`.
final class OptionTable {
    /// Keys of options without a letter; below are the letters themselves.
    static let firstKey: CInt = 0x100

    let options: UnsafeMutablePointer<argp_option>
    private let count: Int
    private var strings: [UnsafeMutablePointer<CChar>?] = []

    init(_ entries: [(name: String, letter: Character?, value: String?, help: String)]) {
        count = entries.count + 1
        options = .allocate(capacity: count)
        options.initialize(repeating: argp_option(), count: count)
        for (index, entry) in entries.enumerated() {
            var option = argp_option()
            option.name = UnsafePointer(copy(entry.name))
            option.key =
                entry.letter?.asciiValue.map { CInt($0) } ?? Self.firstKey + CInt(index)
            option.arg = entry.value.flatMap { UnsafePointer(copy($0)) }
            option.doc = UnsafePointer(copy(entry.help))
            options[index] = option
        }
    }

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
