// SPDX-License-Identifier: MIT
import GPSReceivers
import Glibc
import SimulatedDevices
import Synchronization

/// A way through a tty that belongs to an invented USB device: udev tells of it, too.
///
/// Plugged in again it is the same receiver in the same socket, on the tty of the name given.
package final class SimulatedUSBReceiver: SimulationOutput {
    private struct State {
        let machine: Umockdev
        var device: Umockdev.Device
        var isPlugged: Bool
    }

    private let state: Mutex<State>

    /// Plugs it into a machine, as a u-blox 7.
    package init(_ machine: sending Umockdev, tty: String, number: Int) {
        let device = Umockdev.Device(vendor: "1546", product: "01a7", tty: tty, number: number)
        let isPlugged = machine.plug(device)
        state = Mutex(State(machine: machine, device: device, isPlugged: isPlugged))
    }

    /// Sends what the tty has room for.
    package func send(_ bytes: [UInt8]) {
        state.withLock { state in
            guard state.isPlugged else { return }
            let fd = state.machine.receiver(state.device)
            _ = fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK)
            _ = write(fd, bytes, bytes.count)
        }
    }

    /// The tty's hang-up, then udev's "remove".
    package func unplug() {
        state.withLock { state in
            guard state.isPlugged else { return }
            state.isPlugged = false
            state.machine.unplug(state.device)
        }
    }

    /// Udev's "add", of a tty with that name.
    package func plug(as name: String?) throws {
        state.withLock { state in
            guard !state.isPlugged, let name else { return }
            state.device.tty = name
            state.device.number += 1
            state.isPlugged = state.machine.plug(state.device)
        }
    }

    /// Pulls it out.
    package func close() { unplug() }
}
