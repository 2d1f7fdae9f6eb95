// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc

/// How a recording's files are called: as asked for, or where they rotate, with the instant at which
/// each begins: `track-20260321T120000Z.gpx`.
struct RecordName {
    private let stem: Substring
    private let ending: Substring

    init(_ path: String) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        // The part after the first dot, so that `.nmea.zst` stays together; but a name may begin with one.
        let name = path[start...]
        let dot = name.dropFirst().firstIndex(of: ".") ?? path.endIndex
        stem = path[..<dot]
        ending = path[dot...]
    }

    /// Makes the folder of the files, and those that it is in, where there are none.
    ///
    /// Throws a `RecordFile.Failure`. The corresponding C function is `mkdir`.
    func makeFolder() throws {
        var end = stem.startIndex
        while let slash = stem[end...].firstIndex(of: "/") {
            end = stem.index(after: slash)
            let folder = String(stem[..<slash])
            guard !folder.isEmpty, mkdir(FileName.native(folder), 0o777) != 0 else { continue }
            // One that is there may be one in which nothing may be made.
            let error = errno
            guard access(FileName.native(folder), F_OK) == 0 else {
                throw RecordFile.Failure(folder, errno: error)
            }
        }
    }

    /// The file that begins at an instant.
    func path(at time: UTCTime, number: Int) -> String {
        let text = time.description.prefix(19).filter { $0 != "-" && $0 != ":" }
        return "\(stem)-\(text)Z" + (number > 1 ? "-\(number)" : "") + ending
    }

    /// A file that begins at an instant, and that is not there yet.
    func free(at time: UTCTime) -> String {
        var number = 1
        while access(path(at: time, number: number), F_OK) == 0 { number += 1 }
        return path(at: time, number: number)
    }

    /// The newest of the files that are there, and the day on which it began.
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

    /// The day of `20260321T120000Z`.
    private static func day(_ text: Substring) -> CalendarDate? {
        let digits = text.prefix(8)
        guard digits.count == 8, text.dropFirst(8).first == "T", let number = Int(digits) else {
            return nil
        }
        return CalendarDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }
}
