// SPDX-License-Identifier: MIT
import CGPSSerial
package import GPSIO
import Glibc

extension DeviceError {
    /// Converts the error of a failed system call. `device` is the name by which the user knows the
    /// device; if it is `nil`, the name in `error` is used.
    package init(_ error: IOError, device: String? = nil) {
        let device = device ?? error.name
        switch error.operation {
        case .open: self = .opening(device, errno: error.errno)
        case .link where error.errno == EEXIST:
            self.init(.nameTaken, device: device, errno: EEXIST)
        case .link: self.init(.linkFailed, device: device, errno: error.errno)
        case .makeTerminal: self.init(.noPseudoTerminal, device: device, errno: error.errno)
        case .lookUp where error.errno == ECANCELED: self.init(.cancelled, device: device)
        case .lookUp:
            self.init(
                .hostUnknown, device: device,
                detail: error.reason.map { DeviceError.Detail.reported($0) })
        case .start where error.errno == ENOENT || error.errno == EACCES:
            self.init(.programMissing, device: device, errno: error.errno)
        case .start, .create, .listen, .accept, .write:
            self.init(.ioFailed, device: device, errno: error.errno)
        }
    }

    /// Runs `body` and converts its error to a `DeviceError`.
    package static func converted<Result: ~Copyable>(
        device: String? = nil, _ body: () throws(IOError) -> Result
    ) throws(DeviceError) -> Result {
        do throws(IOError) { return try body() } catch { throw DeviceError(error, device: device) }
    }

    /// Returns the error for a path that could not be opened, with the given `errno`.
    package static func opening(_ path: String, errno number: CInt) -> DeviceError {
        switch number {
        // Opening a node whose device is gone fails with ENXIO or ENODEV.
        case ENOENT, ENXIO, ENODEV, ENOTDIR:
            DeviceError(.notFound, device: path, errno: number)
        case EACCES:
            DeviceError(
                .permissionDenied, device: path, errno: number,
                detail: NodeAccess(path).denial)
        // A device cgroup (of a service or container) denies access, so joining the node's group
        // would not help.
        case EPERM: DeviceError(.permissionDenied, device: path, errno: number)
        case EBUSY:
            DeviceError(.busy, device: path, errno: number, detail: NodeAccess(path).probableHolder)
        case EISDIR: DeviceError(.isDirectory, device: path, errno: number)
        case ENOTTY: DeviceError(.notADevice, device: path, errno: number)
        case EINVAL: DeviceError(.configurationFailed, device: path, errno: number)
        default: DeviceError(.ioFailed, device: path, errno: number)
        }
    }
}

extension HostLookup {
    /// Returns the host's addresses for connecting or, if `passive` is `true`, for listening.
    ///
    /// Throws `.hostUnknown`; `.cancelled` as soon as the task is cancelled.
    package func find(passive: Bool) async throws(DeviceError) -> [SocketAddress] {
        do throws(IOError) {
            return try await addresses(passive: passive)
        } catch {
            throw DeviceError(error)
        }
    }
}
