// SPDX-License-Identifier: MIT
import GPSIO

/// The files with gpsbridge's udev rules, in all folders that udev reads.
enum InstalledRules {
    private static let folders = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
        "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
    ]

    /// Returns the paths of the files. A file that is found in several folders is listed once.
    static func find() -> [String] {
        var names: Set<String> = []
        return folders.flatMap { folder in
            Folder.names(in: folder).sorted()
                .filter { $0.hasSuffix("gpsbridge.rules") && names.insert($0).inserted }
                .map { "\(folder)/\($0)" }
        }
    }

    /// Returns whether udev reads a rules file with this name at the right time. udev sorts the
    /// files by name: the file must come after 60-serial.rules, which names devices, and before
    /// 73-seat-late.rules, which grants access.
    static func isInTime(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name > "60-serial.rules" && name < "73-seat-late.rules"
    }
}
