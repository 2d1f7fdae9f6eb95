// SPDX-License-Identifier: MIT
public import GNSS

/// The source of fixes as written to files: its name and its origin.
public struct OutputSource: Hashable, Sendable {
    /// The name of the receiver or the recording.
    public var name: String

    /// Whether the fixes are live, recorded, simulated or of unknown origin.
    public var origin: DataOrigin

    /// Creates a source.
    public init(name: String = "", origin: DataOrigin = .live) {
        self.name = name
        self.origin = origin
    }

    /// Creates a source from the name with which it was opened. For a recording, the folder is
    /// removed, because it is private.
    public init(opened name: String, origin: DataOrigin) {
        self.init(name: Self.title(name, origin), origin: origin)
    }

    /// Returns a title for each source: the name of a recording without its folder. The element is
    /// `nil` for other sources, and for recordings whose names are not unique.
    package static func titles(of sources: [OutputSource]) -> [String?] {
        let names = sources.map { title($0.name, $0.origin) }
        return zip(sources, names).map { source, name in
            source.origin == .replay && names.count { $0 == name } == 1 ? name : nil
        }
    }

    /// Returns the name as written to files.
    private static func title(_ name: String, _ origin: DataOrigin) -> String {
        let name = FileName.shown(name)
        guard origin == .replay else { return name }
        return name.split(separator: "/").last.map(String.init) ?? name
    }

    /// Whether all fixes are simulated.
    var isSimulated: Bool { origin == .simulated }

    /// Returns whether a fix is simulated: its source is simulated, or the receiver marked the fix.
    public func isSimulated(_ fix: Fix) -> Bool {
        isSimulated || fix.quality == .simulated
    }

    /// Returns the word for the origin in files.
    func originName(isSimulated: Bool) -> String {
        (isSimulated ? .simulated : origin).rawValue
    }
}
