// SPDX-License-Identifier: MIT

extension String {
    /// The maximum length of a string in gpsd's JSON, in bytes. With more than 511 characters,
    /// libgps 3.22 ignores the rest of the object, and later versions end the session.
    package static let maximumGPSDLength = 500

    /// Returns the first characters that have at most `limit` bytes in UTF-8.
    package func prefix(utf8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var (count, end) = (0, startIndex)
        for index in indices {
            count += self[index].utf8.count
            guard count <= limit else { break }
            end = self.index(after: index)
        }
        return String(self[..<end])
    }
}

extension [String] {
    /// Returns the first elements as one string of at most `limit` bytes. Of a first element that
    /// is longer, returns the beginning.
    package func joined(separator: String, utf8 limit: Int) -> String {
        guard var text = first?.prefix(utf8: limit) else { return "" }
        for next in dropFirst() {
            guard text.utf8.count + separator.utf8.count + next.utf8.count <= limit else { break }
            text += separator + next
        }
        return text
    }
}
