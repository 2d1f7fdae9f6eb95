// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers

/// The files with gpsbridge's udev rules, in all folders that udev reads.
enum InstalledRules {
    private static let folders = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
        "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
    ]

    /// Returns their paths; with a merged /usr each file appears once.
    static func find() -> [String] {
        var names: Set<String> = []
        return folders.flatMap { folder in
            Folder.names(in: folder).sorted()
                .filter { $0.hasSuffix("gpsbridge.rules") && names.insert($0).inserted }
                .map { "\(folder)/\($0)" }
        }
    }

    /// Whether udev, which sorts rules by file name, reads a file of this name in time: devices are named
    /// in 60-serial.rules, and access is given in 73-seat-late.rules.
    static func isInTime(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name > "60-serial.rules" && name < "73-seat-late.rules"
    }
}
