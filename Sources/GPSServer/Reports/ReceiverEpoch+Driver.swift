// SPDX-License-Identifier: MIT
import GPSReceivers

extension ReceiverEpoch {
    /// The name of the gpsd driver for the receiver's data: `u-blox` after it has sent UBX.
    var driver: String {
        sendsUBX ? ServedDevice.binaryDriver : ServedDevice.sentenceDriver
    }
}
