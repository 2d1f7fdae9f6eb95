// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Glibc

/// Derives the names of files from a given path. A time, with a number if necessary, or another
/// suffix is inserted before the extension: `track-20260321T120000Z.gpx`.
struct RecordName {
    private let stem: Substring
    private let ending: Substring

    init(_ path: String) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        // The extension begins at the first dot, so that `.nmea.zst` stays together. A dot at the
        // start of the name is not an extension.
        let name = path[start...]
        let dot = name.dropFirst().firstIndex(of: ".") ?? path.endIndex
        stem = path[..<dot]
        ending = path[dot...]
    }

    /// Creates the folder of the files, with its parents.
    ///
    /// - Throws: `RecordFile.Failure` if this fails. The corresponding C function is `mkdir`.
    func makeFolder() throws {
        var end = stem.startIndex
        while let slash = stem[end...].firstIndex(of: "/") {
            end = stem.index(after: slash)
            let folder = String(stem[..<slash])
            guard !folder.isEmpty, mkdir(FileName.native(folder), 0o777) != 0 else { continue }
            // `mkdir` also fails if the folder exists and the user may not create folders there.
            let error = errno
            guard access(FileName.native(folder), F_OK) == 0 else {
                throw RecordFile.Failure(folder, errno: error)
            }
        }
    }

    /// Returns the path of the file that begins at a time. `number` distinguishes files with the
    /// same time.
    func path(at time: UTCTime, number: Int) -> String {
        let text = time.description.prefix(19).filter { $0 != "-" && $0 != ":" }
        return "\(stem)-\(text)Z" + (number > 1 ? "-\(number)" : "") + ending
    }

    /// Returns the path of the file with an individual suffix, such as `track-001.gpx`.
    func path(_ own: String) -> String { "\(stem)-\(own)\(ending)" }

    /// Returns an unused path for a file that begins at a time.
    func unusedPath(at time: UTCTime) -> String {
        var number = 1
        while access(FileName.native(path(at: time, number: number)), F_OK) == 0 { number += 1 }
        return path(at: time, number: number)
    }

    /// Returns the newest existing file, and the time in its name; `nil` if there is none.
    func newest() -> (path: String, begun: UTCTime)? {
        let folderEnd = stem.lastIndex(of: "/")
        let folder = folderEnd.map { String(stem[...$0]) } ?? "."
        let start = (folderEnd.map { stem[stem.index(after: $0)...] } ?? stem) + "-"
        var newest: (name: String, begun: UTCTime, number: Int)?
        for name in Folder.names(in: folder) where name.hasPrefix(start) && name.hasSuffix(ending) {
            let parts = name.dropFirst(start.count).dropLast(ending.count).split(separator: "-")
            guard let begun = parts.first.flatMap(Self.time) else { continue }
            let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 1
            if let newest {
                let last = (newest.begun.unixNanoseconds, newest.number)
                guard (begun.unixNanoseconds, number) > last else { continue }
            }
            newest = (name, begun, number)
        }
        return newest.map { (folderEnd == nil ? $0.name : folder + $0.name, $0.begun) }
    }

    /// Parses a time such as `20260321T120000Z`.
    private static func time(_ text: Substring) -> UTCTime? {
        let (digits, clock) = (text.prefix(8), text.dropFirst(9).prefix(6))
        guard digits.count == 8, text.dropFirst(8).first == "T", let number = Int(digits),
            let date = CalendarDate(
                year: number / 10_000, month: number / 100 % 100, day: number % 100),
            clock.count == 6, let seconds = Int(clock)
        else { return nil }
        return TimeOfDay(
            hour: seconds / 10_000, minute: seconds / 100 % 100, second: seconds % 100
        ).map { UTCTime(date: date, time: $0) }
    }
}
