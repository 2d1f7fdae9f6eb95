// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSIO
import GPSReceivers
import GPSTestTraits
import Glibc
import NMEA

/// The contents of a file: fixes with the number of their segment, and views.
struct Reading: Equatable {
    struct Entry: Equatable {
        var fix: Fix
        var segment: Int
    }

    var entries: [Entry] = []
    var views: [SatelliteView] = []
    var waypoints: [Waypoint] = []
    var routes: [Route] = []
    var error: InputError?
    var leftOut = LeftOut()
    var warning: String?
    /// The names of the tracks, in order; `nil` for a track without one.
    var tracks: [String?] = []

    var fixes: [Fix] { entries.map(\.fix) }

    /// Reads a file in pieces of any size; NMEA by the decoder, as a conversion does.
    init(
        _ bytes: [UInt8], piece: Int = 65_536, file: String = "file", keepsWaypoints: Bool = false
    ) {
        var detector = InputDetector(file: file, keepsWaypoints: keepsWaypoints)
        switch detector.push(bytes[...], isLast: true) {
        case .undecided, .sentences: decode(bytes)
        case .reader(let reader): read(bytes, reader, piece)
        }
    }

    init(_ text: String) {
        self.init(Array(text.utf8))
    }

    private mutating func read(_ bytes: [UInt8], _ reader: any InputReader, _ piece: Int) {
        var reader = reader
        defer { (leftOut, warning) = (reader.leftOut, reader.warning) }
        var segment = 0
        var isNew = true
        func receive(_ event: InputEvent) {
            switch event {
            case .segment: isNew = true
            case .track(let name):
                isNew = true
                tracks.append(name)
            case .fix(let fix, let view):
                if isNew { segment += 1 }
                isNew = false
                entries.append(Entry(fix: fix, segment: segment))
                if let view { views.append(view) }
            case .satellites(let view): views.append(view)
            case .waypoint(let waypoint): waypoints.append(waypoint)
            case .route(let route): routes.append(route)
            }
        }
        do throws(InputError) {
            var rest = bytes[...]
            while !rest.isEmpty {
                try reader.push(rest.prefix(piece), receive)
                rest = rest.dropFirst(piece)
            }
            try reader.finish(receive)
        } catch {
            self.error = error
        }
    }

    private mutating func decode(_ bytes: [UInt8]) {
        var decoder = NMEADecoder()
        decoder.learnsCycles = false
        func receive(_ event: DecoderEvent) {
            switch event {
            case .fix(let fix, _): entries.append(Entry(fix: fix, segment: 1))
            case .satellites(let view): views.append(view)
            case .sentence, .rejected, .tagBlock, .ubx: break
            }
        }
        decoder.push(bytes.span, receive)
        decoder.finish(receive)
    }

    /// Converts the contents to another format.
    func written(as format: any OutputFormat.Type) -> [UInt8] {
        var conversion = Conversion(to: format)
        var result: [UInt8] = []
        conversion.begin(OutputSource(name: "track", origin: .replay))
        var segment = entries.first?.segment
        for (index, entry) in entries.enumerated() {
            if entry.segment != segment { conversion.endSegment() }
            segment = entry.segment
            var view = index < views.count ? views[index] : nil
            view?.dilution = entry.fix.dilution
            conversion.add(entry.fix, view)
        }
        conversion.end()
        conversion.drain { result += Array($0) }
        return conversion.completed(result)
    }
}

extension Conversion {
    /// Returns a complete file from `output`, which is everything that `drain` has passed on.
    func completed(_ output: [UInt8]) -> [UInt8] {
        let head = head
        return head + (output + closing).dropFirst(head.count)
    }
}

extension Array where Element == UInt8 {
    init(_ span: Span<UInt8>) {
        self = span.indices.map { span[$0] }
    }
}

/// Receivers' sentences: the fixtures of this package, and recordings that are not part of it.
enum Corpus {
    /// The folder of the recordings, from the environment or beside the package.
    private static let recordings: String = {
        getenv("GPSBRIDGE_CORPUS").map { String(cString: $0) }
            ?? PackageFile.folder + "/../shared/corpus/gpsd"
    }()

    /// The paths of the fixtures.
    static let fixtures = paths(in: PackageFile.folder + "/Tests/Fixtures/Receivers", ".nmea")
    /// The paths of the recordings; may be empty.
    static let captures = paths(in: recordings, ".log")

    private static func paths(in folder: String, _ end: String) -> [String] {
        Folder.names(in: folder).filter { $0.hasSuffix(end) }.map { folder + "/" + $0 }.sorted()
    }
}
