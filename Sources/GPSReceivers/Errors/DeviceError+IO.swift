// SPDX-License-Identifier: MIT
import CGPSSerial
package import GPSIO
import Glibc

extension DeviceError {
    /// Converts a failed system call; `device` replaces its name if the user knows the device by
    /// another.
    package init(_ error: IOError, device: String? = nil) {
        let device = device ?? error.name
        switch error.operation {
        case .open: self = .opening(device, errno: error.errno)
        case .link where error.errno == EEXIST:
            self.init(.nameTaken, device: device, errno: EEXIST)
        case .link: self = .opening(device, errno: error.errno)
        case .makeTerminal: self.init(.noPseudoTerminal, device: device, errno: error.errno)
        case .lookUp where error.errno == ECANCELED: self.init(.cancelled, device: device)
        case .lookUp: self.init(.hostUnknown, device: device)
        case .start where error.errno == ENOENT || error.errno == EACCES:
            self.init(.programMissing, device: device, errno: error.errno)
        case .start, .create, .listen, .accept, .write:
            self.init(.ioFailed, device: device, errno: error.errno)
        }
    }

    /// Runs `body` and converts its error.
    package static func converted<Result: ~Copyable>(
        device: String? = nil, _ body: () throws(IOError) -> Result
    ) throws(DeviceError) -> Result {
        do throws(IOError) { return try body() } catch { throw DeviceError(error, device: device) }
    }

    /// Converts the `errno` of opening a path.
    package static func opening(_ path: String, errno number: CInt) -> DeviceError {
        switch number {
        // Opening a node whose device is gone fails with ENXIO or ENODEV.
        case ENOENT, ENXIO, ENODEV, ENOTDIR:
            DeviceError(.notFound, device: path, errno: number)
        case EACCES:
            DeviceError(
                .permissionDenied, device: path, errno: number,
                detail: NodeAccess(path).missingGroup)
        // Forbidden by a device cgroup: joining the node's group would not help.
        case EPERM: DeviceError(.permissionDenied, device: path, errno: number)
        case EBUSY:
            DeviceError(.busy, device: path, errno: number, detail: NodeAccess(path).holder)
        case EISDIR: DeviceError(.isDirectory, device: path, errno: number)
        case ENOTTY: DeviceError(.notADevice, device: path, errno: number)
        case EINVAL: DeviceError(.configurationFailed, device: path, errno: number)
        default: DeviceError(.ioFailed, device: path, errno: number)
        }
    }
}

extension HostLookup {
    /// Returns the host's addresses: to connect to, or to listen on if `passive`.
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
