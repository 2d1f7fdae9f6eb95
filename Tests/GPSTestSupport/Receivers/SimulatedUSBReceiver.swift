// SPDX-License-Identifier: MIT
import GPSReceivers
import Glibc
import SimulatedDevices
import Synchronization

/// An output to the tty of a simulated USB device, which udev reports.
///
/// When it is plugged in again, it is the same receiver in the same socket, on the given tty.
package final class SimulatedUSBReceiver: SimulationOutput {
    private struct State {
        let machine: Umockdev
        var device: Umockdev.Device
        var isPlugged: Bool
    }

    private let state: Mutex<State>

    /// Plugs the receiver into a machine as a u-blox 7.
    package init(_ machine: sending Umockdev, tty: String, number: Int) {
        let device = Umockdev.Device(vendor: "1546", product: "01a7", tty: tty, number: number)
        let isPlugged = machine.plug(device)
        state = Mutex(State(machine: machine, device: device, isPlugged: isPlugged))
    }

    /// Sends as many bytes as the tty has room for.
    package func send(_ bytes: [UInt8]) {
        state.withLock { state in
            guard state.isPlugged else { return }
            let fd = state.machine.receiver(state.device)
            _ = fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK)
            _ = write(fd, bytes, bytes.count)
        }
    }

    /// Hangs up the tty, then sends udev's "remove".
    package func unplug() {
        state.withLock { state in
            guard state.isPlugged else { return }
            state.isPlugged = false
            state.machine.unplug(state.device)
        }
    }

    /// Sends udev's "add" for a tty with that name.
    package func plug(as name: String?) throws {
        state.withLock { state in
            guard !state.isPlugged, let name else { return }
            state.device.tty = name
            state.device.number += 1
            state.isPlugged = state.machine.plug(state.device)
        }
    }

    /// Unplugs the receiver.
    package func close() { unplug() }
}
