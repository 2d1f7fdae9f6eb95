// SPDX-License-Identifier: MIT
import Glibc
import Plots

/// The file that a plot is written to: as a whole, or not at all.
struct PlotFile: Sendable {
    /// What keeps a plot from being written, and what to do about it.
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

    /// Takes the name of a file; its ending tells the kind of image.
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
        if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Failure(path, "it is there already, and no regular file")
        }
        let draft = try Draft(target, for: path)
        draft.discard()
    }

    /// Makes certain that it is not another file of the same work, whatever that is called there.
    ///
    /// Throws a `Failure`.
    func check(against file: RegularFile?, _ what: String) throws {
        guard let file else { return }
        let descriptor = open(target, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if RegularFile(descriptor) == file { throw Failure(path, "it is \(what)") }
    }

    /// Writes what was gathered beside the file that is there, and then puts it in its place.
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
        let draft = try Draft(target, for: path)
        try draft.write(image)
    }

    /// The file itself, where the name is a link to it.
    private var target: String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// A file on its way to its place, hidden beside it.
private struct Draft {
    private let target: String
    /// What the user called it.
    private let name: String
    private let path: String
    private let descriptor: CInt

    init(_ target: String, for name: String) throws {
        self.target = target
        self.name = name
        let start = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
        path = "\(target[..<start]).gpsbridge-\(getpid())-\(target[start...])"
        unlink(path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw PlotFile.Failure(name, errno: errno) }
    }

    func discard() {
        close(descriptor)
        unlink(path)
    }

    func write(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(errno) }
            done += count
        }
        // Its bytes before its name: a crash leaves the old plot, or the new one.
        guard fsync(descriptor) == 0, rename(path, target) == 0 else { throw failure(errno) }
        close(descriptor)
    }

    private func failure(_ error: CInt) -> PlotFile.Failure {
        discard()
        return PlotFile.Failure(name, errno: error)
    }
}
