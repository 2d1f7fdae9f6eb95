// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSViews
import Glibc

/// The file that a plot is written to: as a whole, or not at all.
struct PlotFile: Sendable {
    /// The reason why a plot cannot be written, and the remedy.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ path: String, _ reason: String) {
            description = "cannot write the plot \(path): \(reason)"
        }

        init(_ path: String, errno error: CInt) {
            let advice =
                switch error {
                case ENOENT: "; make its folder first"
                case EACCES, EPERM, EROFS: "; choose a folder that you may write to"
                case ENOSPC, EDQUOT: "; make room, or choose another disk"
                default: ""
                }
            self.init(path, String(cString: strerror(error)) + advice)
        }
    }

    enum Kind: String, CaseIterable {
        case png, svg
    }

    let path: String
    private let kind: Kind

    /// Creates a plot file; the extension of its name selects the kind of image.
    ///
    /// Throws a `UsageError` for another ending.
    init(_ path: String) throws {
        let name = path.split(separator: "/").last ?? ""
        let ending =
            name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } : nil
        guard let kind = ending.flatMap({ Kind(rawValue: $0) }),
            name.count > kind.rawValue.count + 1
        else {
            throw UsageError(
                "a plot is a .png or an .svg file, not '\(path)': call it '\(path).svg', say")
        }
        self.path = path
        self.kind = kind
    }

    /// Finds out whether it can be written, before the work is done for nothing.
    ///
    /// Throws a `Failure`.
    func check() throws {
        if kind == .png, let missing = PNGImage.missing {
            throw Failure(
                path,
                "\(missing) is missing; install it (Debian: apt-get install libcairo2), or write "
                    + "an .svg file, which needs nothing")
        }
        var status = stat()
        if stat(FileName.native(path), &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Failure(path, "it is there already, and no regular file")
        }
        _ = try draft()
    }

    /// Checks that it is not another file of the same conversion, whatever its path.
    ///
    /// Throws a `Failure`.
    func check(against file: RegularFile?, _ what: String) throws {
        guard let file else { return }
        let descriptor = open(FileName.native(path), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if RegularFile(descriptor) == file { throw Failure(path, "it is \(what)") }
    }

    /// Writes the plot to a new file, which then replaces the old one.
    ///
    /// Throws a `Failure`.
    func write(_ plot: Plot) throws {
        guard !plot.isEmpty else {
            throw Failure(path, "there was no position and no satellite to draw")
        }
        let drawing = Sheet.draw(plot)
        let image =
            switch kind {
            case .svg: SVGImage.bytes(of: drawing)
            case .png: PNGImage.bytes(of: drawing)
            }
        guard let image else { throw Failure(path, "there is not enough memory") }
        do throws(DraftFile.Failure) {
            let draft = try DraftFile(replacing: path)
            try draft.write(image)
            try draft.commit()
        } catch {
            throw Failure(path, errno: error.errno)
        }
    }

    private func draft() throws -> DraftFile {
        do throws(DraftFile.Failure) {
            return try DraftFile(replacing: path)
        } catch {
            throw Failure(path, errno: error.errno)
        }
    }
}
