// SPDX-License-Identifier: MIT
import CGPSSerial
import Dispatch
package import GNSS
package import GPSIO
import Glibc
import Synchronization

/// The open serial line of a session. It can be written to, and its baud rate can be changed, while
/// the session reads it.
package struct ControllableLine: Sendable {
    /// The time for which a USB converter may still hold bytes received at the previous baud rate.
    /// Most hold them for up to 16 ms.
    private static let transferTime = Duration.milliseconds(50)

    /// The open tty: its current baud rate, its pulses, and writing to it.
    package let connection: SerialConnection
    let tty: SourceIdentity
    /// The session that has the tty open.
    let session: ReceiverSession
    private let driver: ReceiverDriver

    init(_ connection: SerialConnection, _ session: ReceiverSession, _ driver: ReceiverDriver) {
        (self.connection, self.session, self.driver) = (connection, session, driver)
        tty = SourceIdentity(path: connection.name)
    }

    /// The baud rate at which messages are received; `nil` during the search or if the line has no
    /// baud rate.
    package var knownBaudRate: BaudRate? { session.knownBaudRate }

    /// Whether the line has a baud rate. A receiver with built-in USB or a kernel driver has none.
    package var hasBaudRate: Bool { connection.search != nil }

    /// Whether the line is the receiver chip's own USB port.
    var isNativeUSB: Bool { !hasBaudRate && connection.isTTY }

    /// Ensures that only one dialogue at a time uses the line.
    var turn: DialogueTurn { session.turn }

    /// Changes the baud rate of this computer's side of the line. If no messages are received at
    /// the new rate, a search for the baud rate starts.
    ///
    /// Throws `.configurationFailed` if the chip does not support the rate.
    package func change(to baudRate: BaudRate) async throws(DeviceError) {
        try await connection.set(baudRate)
        let poller = connection.poller
        _ = await poller.sleep(until: poller.now + Self.transferTime)
        // The polling thread also reads. Therefore, this cannot run between a read and the
        // processing of its bytes.
        await withTaskExecutorPreference(poller) {
            connection.discardInput()
            receive(.changed(baudRate))
        }
    }

    /// Marks the start or end of a dialogue that sets the baud rate itself. During the dialogue,
    /// the baud rate search stays at the current rate. Call this on the polling thread.
    func setDialogue(isActive: Bool) {
        receive(.dialogue(isActive: isActive))
    }

    /// States that a dialogue may have changed the receiver's settings or reset it. Call this on the
    /// polling thread.
    func setReconfigured() { driver.receive(.reconfigured) }

    /// Passes an input to the receiver and ends the pending read. The receiver's baud rate search
    /// may now have an earlier deadline than that read, which would otherwise last until the next
    /// byte.
    private func receive(_ input: Receiver.Input) {
        driver.receive(input)
        connection.interruptRead()
    }
}

/// The identity of a tty's device, to recognise the device when it is plugged in again.
///
/// Some converters all have the same serial number, such as 0001. A device is therefore also
/// identified by its USB port once another device with the same key was present when it was opened.
package struct DeviceMark: Equatable, Sendable {
    private let key: String
    private let portlessKey: String
    private let port: String?
    /// Whether another device has had the same key, or the same model without a serial number.
    private let hasTwin: Bool

    /// Creates the mark of a device with a key (`DiscoveredDevice.key`) and a `portlessKey`, at a
    /// USB port. `hasTwin` is `true` if another present device has the same `portlessKey`. `former`
    /// is the mark of the device that was opened before.
    package init(
        key: String, portlessKey: String, port: String?, hasTwin: Bool,
        after former: DeviceMark? = nil
    ) {
        self.key = key
        self.portlessKey = portlessKey
        self.port = port
        // The twin may be unplugged now, and return later.
        let hadTwin = former.map { $0.portlessKey == portlessKey && $0.hasTwin } ?? false
        self.hasTwin = hasTwin || hadTwin
    }

    /// Returns whether a device with a key at a USB port is the one with this mark.
    package func fits(key: String?, port: String?) -> Bool {
        key == self.key && (!hasTwin || self.port == nil || port == self.port)
    }

    /// Returns whether a device is certainly not the one with this mark. A device at the same port
    /// counts as the same one. So does one of the same model without a serial number, unless there
    /// are several, because it may have been plugged into another port.
    package func excludes(key: String?, portlessKey: String, port: String?) -> Bool {
        guard key != nil, port != self.port, !fits(key: key, port: port) else { return false }
        return hasTwin || portlessKey != self.portlessKey
    }
}

/// Stores which device a source has opened, to find it again if it returns as another tty.
final class DeviceTracker: Sendable {
    private let mark = Mutex<DeviceMark?>(nil)

    /// Returns the device stored by `follow(_:)`, even if it is now another tty, or otherwise the
    /// device at `path`; `nil` if udev knows neither.
    ///
    /// Throws `.notFound` if the stored device is absent and another one has its name.
    func device(at path: String) throws(DeviceError) -> DiscoveredDevice? {
        let there = DeviceDiscovery.device(at: path)
        guard let mark = mark.withLock({ $0 }), !mark.fits(key: there?.key, port: there?.port)
        else { return there }
        let devices = DeviceDiscovery.devices()
        if let device = devices.first(where: { mark.fits(key: $0.key, port: $0.port) }) {
            return device
        }
        if let there,
            mark.excludes(key: there.key, portlessKey: there.portlessKey, port: there.port)
        {
            // `ENODEV`, because in a container, no event reports that the device has returned.
            throw DeviceError(.notFound, device: path, errno: ENODEV)
        }
        return there
    }

    /// Stores a device that has been opened.
    func follow(_ device: DiscoveredDevice?) {
        guard let device, let key = device.key else { return }
        let portlessKey = device.portlessKey
        let hasTwin = DeviceDiscovery.devices().contains {
            $0.portlessKey == portlessKey && $0.path != device.path
        }
        mark.withLock { former in
            former = DeviceMark(
                key: key, portlessKey: portlessKey, port: device.port, hasTwin: hasTwin,
                after: former)
        }
    }
}

/// Determines why the user may not open a device node, and which process has it open.
package struct NodeAccess {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// The probable reason why the user may not read the node; `nil` if it is not known.
    var denial: DeviceError.Detail? {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else { return nil }
        // The kernel checks only the owner's permissions for the owner.
        let isDeniedToOwner = status.st_uid == geteuid() && status.st_mode & S_IRUSR == 0
        return isDeniedToOwner ? .ownerDenied : missingGroup(of: status)
    }

    /// The group that the kernel shows in place of a group that does not exist in the user
    /// namespace, as in a container or in a service with `PrivateUsers=`.
    package static let foreignGroup: UInt32 = 65_534

    /// Returns whether members of a group may do much more than read a receiver.
    package static func isPrivileged(_ group: String) -> Bool {
        let privileged =
            "adm disk docker input kmem kvm libvirt lxd mem root shadow staff sudo sys wheel"
        return privileged.split(separator: " ").contains { $0 == group }
    }

    /// Returns the group whose members may read the node, and the probable reason why the user may
    /// not. Returns `nil` if no group may read the node. A group without a name is given by its
    /// number.
    private func missingGroup(of status: stat) -> DeviceError.Detail? {
        let id = status.st_gid
        let entry = group(id)
        // A login program gives its line to this group, whose members may only write to it.
        if entry?.name == "tty", !Node(path).isPseudoTerminal { return .group("tty") }
        guard status.st_mode & S_IRGRP != 0, id != 0 else { return nil }
        guard let known = entry, id != Self.foreignGroup else { return .group("\(id)") }
        guard !isActive(id) else { return .forbidden(group: known.name) }
        let isMember = known.members.contains(userName ?? "")
        return isMember ? .groupAfterLogin(known.name) : .group(known.name)
    }

    /// Returns whether this process has the rights of a group. It does not have them if the user
    /// joined the group after logging in.
    private func isActive(_ group: gid_t) -> Bool {
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(CInt(groups.count), &groups)
        return getegid() == group || groups.prefix(Int(max(0, count))).contains(group)
    }

    /// The first process that has the node open; otherwise a running server that probably has it
    /// open, because only root can see the open files of other users' programs. `nil` if there is
    /// neither.
    var probableHolder: DeviceError.Detail? {
        if let holder = holder() { return holder }
        guard path.hasPrefix("/dev/"), !Node(path).isPseudoTerminal else { return nil }
        // A lazy `compactMap` would read /proc twice, and the process may end between.
        for process in RunningProcess.all {
            if let server = process.server { return .probablyHeldBy(server: server) }
        }
        return nil
    }

    /// Returns the first process that has the node open; `nil` if there is none or `/proc` does not
    /// show it. Ignores the process with the id `known`, and processes that this process is
    /// starting.
    func holder(besides known: Int? = nil) -> DeviceError.Detail? {
        let real = Node(path).realPath
        guard let file = Node(real).file,
            let process = RunningProcess.all.first(where: {
                $0.id != known && !$0.isBeingStarted && $0.hasOpen(real, file)
            })
        else { return nil }
        return .heldBy(
            program: process.server ?? process.name ?? "a program", processID: process.id)
    }

    private var userName: String? {
        var buffer = [CChar](repeating: 0, count: 16_384)
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let name = entry.pw_name
        else { return nil }
        return String(cString: name)
    }

    private func group(_ id: gid_t) -> (name: String, members: [String])? {
        var buffer = [CChar](repeating: 0, count: 65_536)
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let name = entry.gr_name
        else { return nil }
        var members: [String] = []
        var next = entry.gr_mem
        while let list = next, let member = list.pointee {
            members.append(String(cString: member))
            next = list + 1
        }
        return (String(cString: name), members)
    }
}

/// The ttys that this process has open. Their settings are restored at `exit`.
///
/// The kernel does not restore them: a tty keeps its settings after the last close. A pseudo
/// terminal also stays locked while its other side is open, so that only root could open it again.
enum OpenLines {
    private struct Line {
        let descriptor: Descriptor
        let former: cserial_settings
    }

    private struct State {
        var lines: [ObjectIdentifier: Line] = [:]
        var isExiting = false
    }

    private static let state = Mutex(State())
    /// The ttys that are being opened.
    private static let openings = DispatchGroup()
    /// The maximum time that `exit` waits for these ttys.
    private static let patience = DispatchTimeInterval.seconds(2)
    /// The id of the process that opened the ttys. A forked child process does not restore them
    /// when it exits.
    private static let process: pid_t = {
        atexit { OpenLines.restoreAll() }
        return getpid()
    }()

    /// Opens and adds a tty. `exit` waits until `body` returns, because the tty has other settings
    /// before it is added.
    ///
    /// Throws `.cancelled` if the process is exiting.
    static func opening<Line>(
        _ path: String, _ body: () throws(DeviceError) -> Line
    ) throws(DeviceError) -> Line {
        _ = process
        let isExiting = state.withLock { state in
            if !state.isExiting { openings.enter() }
            return state.isExiting
        }
        guard !isExiting else { throw DeviceError(.cancelled, device: path) }
        defer { openings.leave() }
        return try body()
    }

    /// Adds a newly opened tty, and locks the tty if `isExclusive` is `true`. `former` contains the
    /// settings to restore. The lock is recorded in `former`, so that restoring the settings also
    /// unlocks the tty.
    ///
    /// Adding and locking happen under one lock, so that `exit` restores every locked tty.
    static func add(
        _ descriptor: Descriptor, isExclusive: Bool, former: inout cserial_settings
    ) {
        var settings = former
        state.withLock { state in
            descriptor.use { fd in
                if state.isExiting {
                    withUnsafePointer(to: settings) { cserial_restore(fd, $0) }
                } else if isExclusive {
                    cserial_exclude(fd, &settings)
                }
            }
            state.lines[ObjectIdentifier(descriptor)] =
                Line(descriptor: descriptor, former: settings)
        }
        former = settings
    }

    /// Removes a closed tty.
    static func remove(_ descriptor: Descriptor) {
        // The descriptor is released outside the lock.
        _ = state.withLock { $0.lines.removeValue(forKey: ObjectIdentifier(descriptor)) }
    }

    private static func restoreAll() {
        guard process == getpid() else { return }
        state.withLock { $0.isExiting = true }
        // `add` restores a tty whose opening takes longer.
        _ = openings.wait(timeout: .now() + patience)
        state.withLock { state in
            for line in state.lines.values {
                line.descriptor.use { fd in
                    withUnsafePointer(to: line.former) { cserial_restore(fd, $0) }
                }
            }
        }
    }
}

/// Watches all folders that are used to resolve a path, including those of symbolic links.
package final class PathAvailability: DeviceAvailability {
    private let path: String
    private let poller: Poller
    private let watches: Mutex<PathWatches>
    private let descriptor: Descriptor?

    convenience init(_ path: String, poller: Poller = .shared) {
        self.init(path, poller: poller, inotify: Descriptor.inotify(poller: poller))
    }

    /// Creates a watch that uses an inotify instance. If `inotify` is `nil` or cannot be read, or
    /// if the user's limit of watches has been reached, each wait ends after two seconds instead.
    package init(_ path: String, poller: Poller, inotify: Descriptor?) {
        self.poller = poller
        self.path = Node(path).absolutePath
        descriptor = inotify
        watches = Mutex(PathWatches())
        _ = update()
    }

    package func next(until deadline: MonotonicInstant?) async {
        // The device may have appeared before its folder was being watched.
        if update() { return }
        if let descriptor, watches.withLock({ $0.isComplete }) {
            while case .bytes(let events) = await descriptor.read(atMost: 4096, until: deadline) {
                if watches.withLock({ $0.isConcerned(by: events) }) { return }
            }
        }
        await PeriodicRetry.withoutEvents(poller).next(until: deadline)
    }

    /// Updates the watches. Returns whether the path's folders or links have changed.
    private func update() -> Bool {
        descriptor?.use { fd in watches.withLock { $0.follow(path, inotify: fd) } } ?? false
    }
}
