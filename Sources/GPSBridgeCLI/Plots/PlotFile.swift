// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSViews
import Glibc

/// The file for a plot, which is written completely or not at all.
struct PlotFile: Sendable {
    /// The reason why a plot cannot be written, with advice.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ path: String, _ reason: String) {
            description = "cannot write the plot \(path): \(reason)"
        }

        init(_ path: String, errno error: CInt) {
            let advice =
                switch error {
                case ENOENT: "; create its folder first"
                case EACCES, EPERM, EROFS: "; choose a folder that you may write to"
                case ENOSPC, EDQUOT: "; free some space, or choose another disk"
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
    /// Throws a `UsageError` for another extension.
    init(_ path: String) throws {
        let name = path.split(separator: "/").last ?? ""
        let ending =
            name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } : nil
        guard let kind = ending.flatMap({ Kind(rawValue: $0) }),
            name.count > kind.rawValue.count + 1
        else {
            throw UsageError(
                "a plot is a .png or an .svg file, not '\(path)': name it '\(path).svg', for example"
            )
        }
        self.path = path
        self.kind = kind
    }

    /// Checks, before the work begins, that the file can be written.
    ///
    /// Throws a `Failure` if it cannot.
    func check() throws {
        if kind == .png, let missing = PNGImage.missing {
            throw Failure(
                path,
                "\(missing) is missing; install it (Debian: apt-get install libcairo2), or write "
                    + "an .svg file, which needs nothing")
        }
        var status = stat()
        if stat(FileName.native(path), &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Failure(path, "it exists and is not a regular file")
        }
        _ = try draft()
    }

    /// Checks that this is not another file of the same conversion, even by another path.
    ///
    /// Throws a `Failure` if it is.
    func check(against file: RegularFile?, _ what: String) throws {
        guard let file else { return }
        let descriptor = open(FileName.native(path), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if RegularFile(descriptor) == file { throw Failure(path, "it is \(what)") }
    }

    /// Writes the plot to a temporary file, which then replaces the old one.
    ///
    /// Throws a `Failure` if that fails.
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
