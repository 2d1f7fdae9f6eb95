// SPDX-License-Identifier: MIT
import CGPSArgp
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
