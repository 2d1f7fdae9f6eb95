// SPDX-License-Identifier: MIT

/// The formats that fixes can be written in; help, messages and tests derive from this list.
public enum OutputFormats {
    /// All of them, in the order in which help shows them.
    public static let all: [any OutputFormat.Type] = [
        GPSDFormat.self,
        GPXFormat.self,
        KMLFormat.self,
        GeoJSONFormat.self,
        GeoJSONLineFormat.self,
        GeoJSONSeqFormat.self,
        CSVFormat.self,
        NMEAFormat.self,
    ]

    /// Their names.
    public static var names: [String] { all.map { $0.name } }

    /// Returns the format with a name; `nil` if there is none.
    public static func named(_ name: String) -> (any OutputFormat.Type)? {
        all.first { $0.name == name }
    }

    /// Returns the format for the ending of a path; `nil` if there is none.
    public static func of(path: String) -> (any OutputFormat.Type)? {
        let parts = path.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let end = parts.last?.lowercased() else { return nil }
        return all.first { $0.fileExtensions.contains(end) }
    }
}
