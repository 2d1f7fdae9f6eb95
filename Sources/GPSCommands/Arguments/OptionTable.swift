// SPDX-License-Identifier: MIT
import CGPSArgp
import Glibc

/// Options in the form that argp requires, valid until `free()`.
final class OptionTable {
    /// The first key of options without a letter; an option with a letter has its code as the key.
    static let firstKey: CInt = 0x100

    let options: UnsafeMutablePointer<argp_option>
    private let count: Int
    private var strings: [UnsafeMutablePointer<CChar>?] = []

    /// An option in argp's table.
    struct Entry {
        var name: String
        var letter: Character?
        var value: String?
        var help: String
        var formerName: String?
        var isValueOptional = false
        var isHidden = false
    }

    init(_ entries: [Entry]) {
        // Followed by hidden options: former names and -h. The last entry terminates the table.
        let former = entries.enumerated().filter { $0.element.formerName != nil }
        count = entries.count + former.count + 2
        options = .allocate(capacity: count)
        options.initialize(repeating: argp_option(), count: count)
        for (index, entry) in entries.enumerated() {
            var option = argp_option()
            option.name = UnsafePointer(copy(entry.name))
            option.key =
                entry.letter?.asciiValue.map { CInt($0) } ?? Self.key(of: index)
            option.arg = entry.value.flatMap { UnsafePointer(copy($0)) }
            option.doc = UnsafePointer(copy(entry.help))
            if entry.isValueOptional { option.flags |= CInt(OPTION_ARG_OPTIONAL) }
            if entry.isHidden { option.flags |= CInt(OPTION_HIDDEN) }
            options[index] = option
        }
        for (place, (index, entry)) in former.enumerated() {
            var option = options[index]
            option.name = entry.formerName.flatMap { UnsafePointer(copy($0)) }
            option.key = Self.key(of: index)
            option.doc = nil
            option.flags = CInt(OPTION_HIDDEN)
            options[entries.count + place] = option
        }
        options[count - 2].key = CInt(cargp_help)
        options[count - 2].flags = CInt(OPTION_HIDDEN)
    }

    /// Returns the key of an option without a letter, or of a former name.
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
