// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc

/// The names of a recording's files: the given name or, with rotation, that name with the instant at
/// which each file begins: `track-20260321T120000Z.gpx`.
struct RecordName {
    private let stem: Substring
    private let ending: Substring

    init(_ path: String) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        // Splits at the first dot, so that `.nmea.zst` stays together; a name may begin with a dot.
        let name = path[start...]
        let dot = name.dropFirst().firstIndex(of: ".") ?? path.endIndex
        stem = path[..<dot]
        ending = path[dot...]
    }

    /// Creates the folder of the files, and its parents, if they don't exist.
    ///
    /// Throws a `RecordFile.Failure` if that fails. The corresponding C function is `mkdir`.
    func makeFolder() throws {
        var end = stem.startIndex
        while let slash = stem[end...].firstIndex(of: "/") {
            end = stem.index(after: slash)
            let folder = String(stem[..<slash])
            guard !folder.isEmpty, mkdir(FileName.native(folder), 0o777) != 0 else { continue }
            // The folder may exist although the user must not create it.
            let error = errno
            guard access(FileName.native(folder), F_OK) == 0 else {
                throw RecordFile.Failure(folder, errno: error)
            }
        }
    }

    /// The path of the file that begins at an instant.
    func path(at time: UTCTime, number: Int) -> String {
        let text = time.description.prefix(19).filter { $0 != "-" && $0 != ":" }
        return "\(stem)-\(text)Z" + (number > 1 ? "-\(number)" : "") + ending
    }

    /// A path that is not in use, for a file that begins at an instant.
    func free(at time: UTCTime) -> String {
        var number = 1
        while access(path(at: time, number: number), F_OK) == 0 { number += 1 }
        return path(at: time, number: number)
    }

    /// Finds the newest existing file and the day on which it began.
    func newest() -> (path: String, day: CalendarDate)? {
        let folderEnd = stem.lastIndex(of: "/")
        let folder = folderEnd.map { String(stem[...$0]) } ?? "."
        let start = (folderEnd.map { stem[stem.index(after: $0)...] } ?? stem) + "-"
        var newest: (name: String, begun: Substring, number: Int, day: CalendarDate)?
        for name in Folder.names(in: folder) where name.hasPrefix(start) && name.hasSuffix(ending) {
            let parts = name.dropFirst(start.count).dropLast(ending.count).split(separator: "-")
            guard let begun = parts.first, let day = Self.day(begun) else { continue }
            let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 1
            guard (begun, number) > (newest?.begun ?? "", newest?.number ?? 0) else { continue }
            newest = (name, begun, number, day)
        }
        return newest.map { (folderEnd == nil ? $0.name : folder + $0.name, $0.day) }
    }

    /// Parses the day of `20260321T120000Z`.
    private static func day(_ text: Substring) -> CalendarDate? {
        let digits = text.prefix(8)
        guard digits.count == 8, text.dropFirst(8).first == "T", let number = Int(digits) else {
            return nil
        }
        return CalendarDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }
}
