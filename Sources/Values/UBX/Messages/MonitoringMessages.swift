// SPDX-License-Identifier: MIT

/// The state of the ports: `MON-COMMS`.
package struct MonCOMMS: UBXMessage {
    package static let id = UBXMessageID(0x0A, 0x36)

    package struct Errors: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether messages were dropped because a buffer was full.
        package var isBufferFull: Bool { rawValue.hasBit(1) }
    }

    package struct Port: UBXBlock {
        /// The number of the port: 0x0000 I2C, 0x0100 UART 1, 0x0201 UART 2, 0x0300 USB, 0x0400
        /// SPI.
        package var number: UInt16 = 0
        /// The number of bytes waiting to be sent.
        private var pendingOut: UInt16 = 0
        private var bytesOut: UInt32 = 0
        /// The usage of the output buffer in per cent.
        private var usageOut: UInt8 = 0
        /// The peak usage of the output buffer in per cent.
        private var peakUsageOut: UInt8 = 0
        /// The number of bytes waiting to be read.
        private var pendingIn: UInt16 = 0
        package var bytesIn: UInt32 = 0
        /// The usage of the input buffer in per cent.
        private var usageIn: UInt8 = 0
        /// The peak usage of the input buffer in per cent.
        private var peakUsageIn: UInt8 = 0
        /// The number of 100 ms intervals with lost bytes.
        private var overruns: UInt16 = 0
        /// The number of received messages for each protocol in `MonCOMMS.protocols`.
        package var messages = [UInt16](repeating: 0, count: 4)
        /// The number of received bytes that belong to no known protocol.
        private var skipped: UInt32 = 0

        package init() {}

        package mutating func fields(_ coder: inout some UBXCoder) {
            coder.integers(&number, &pendingOut, &bytesOut, &usageOut)
            coder.integers(&peakUsageOut, &pendingIn, &bytesIn, &usageIn)
            coder.integers(&peakUsageIn, &overruns)
            for index in messages.indices { coder.integer(&messages[index]) }
            coder.reserved(8)
            coder.integer(&skipped)
        }
    }

    package var version: UInt8 = 0
    package var errors = Errors(rawValue: 0)
    /// The protocols of the four counters in `Port.messages`: 0 UBX, 1 NMEA, 5 RTCM 3, 6 SPARTN,
    /// 255 none.
    private var protocols = [UInt8](repeating: .max, count: 4)
    package var ports: [Port] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.count(of: &ports)
        coder.value(&errors)
        coder.reserved(1)
        for index in protocols.indices { coder.integer(&protocols[index]) }
        coder.elements(&ports)
    }
}

/// The constellations that the chip can receive: `MON-GNSS`, version 0. Later versions list signal
/// plans.
package struct MonGNSS: UBXMessage {
    package static let id = UBXMessageID(0x0A, 0x28)

    package struct Constellations: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the set contains GPS.
        package var hasGPS: Bool { rawValue.hasBit(0) }
        /// Whether the set contains GLONASS.
        package var hasGLONASS: Bool { rawValue.hasBit(1) }
        /// Whether the set contains BeiDou.
        package var hasBeiDou: Bool { rawValue.hasBit(2) }
        /// Whether the set contains Galileo.
        package var hasGalileo: Bool { rawValue.hasBit(3) }
    }

    package var version: UInt8 = 0
    /// The constellations that the chip can receive.
    package var supported = Constellations(rawValue: 0)
    package var defaults = Constellations(rawValue: 0)
    package var enabled = Constellations(rawValue: 0)
    /// The number of constellations that can be enabled at the same time.
    package var simultaneous: UInt8 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&supported)
        coder.value(&defaults)
        coder.value(&enabled)
        coder.integer(&simultaneous)
        coder.reserved(3)
    }
}

/// The state of the hardware: `MON-HW`, in the formats of M6 (68 bytes), M8 (60 bytes) and M10 (56
/// bytes).
package struct MonHW: UBXMessage {
    package static let id = UBXMessageID(0x0A, 0x09)

    /// Status flags of the hardware.
    package struct Flags: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package var jamming: UBXJammingState {
            UBXJammingState(rawValue: rawValue.bits(2...3))
        }
    }

    /// The pins that are used by a peripheral, one bit for each pin.
    private var pinSelection: UInt32 = 0
    /// The peripheral bank of each pin, one bit for each pin: 0 is bank A, 1 is bank B.
    private var pinBank: UInt32 = 0
    /// The directions of the pins, one bit for each pin; 1 means output.
    private var pinDirection: UInt32 = 0
    private var pinLevel: UInt32 = 0
    /// The noise level, as measured by the GPS core, without a unit.
    package var noise: UInt16 = 0
    /// The gain set by the automatic gain control, 0 to 8191.
    package var gain: UInt16 = 0
    package var antenna = UBXAntennaState.unknown
    package var antennaPower = UBXAntennaPower.unknown
    /// Status flags of the hardware.
    package var flags = Flags(rawValue: 0)
    /// The virtual pins in use, one bit for each.
    private var usedPins: UInt32 = 0
    /// The physical pin of each virtual pin. There are 25 virtual pins on M6, 17 on M8 and 13 on
    /// M10.
    package var virtualPins = unusedPins
    /// The strength of a continuous-wave interferer, 0 to 255.
    package var continuousWave: UInt8 = 0
    /// The pins that can cause an interrupt, one bit for each pin.
    private var pinInterrupts: UInt32 = 0
    /// The pins with a pull-up, one bit for each pin.
    private var pulledUp: UInt32 = 0
    /// The pins with a pull-down, one bit for each pin.
    private var pulledDown: UInt32 = 0

    /// The default of `virtualPins`. All messages share this array until one changes it, so
    /// creating a message does not allocate memory.
    private static let unusedPins = [UInt8](repeating: 0, count: 17)

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        let pinCount = coder.remaining.map { max(0, min(25, $0 - 43)) } ?? virtualPins.count
        coder.integers(&pinSelection, &pinBank, &pinDirection, &pinLevel)
        coder.integers(&noise, &gain)
        coder.value(&antenna)
        coder.value(&antennaPower)
        coder.value(&flags)
        coder.reserved(1)
        coder.integer(&usedPins)
        if coder.includesList(of: pinCount) {
            if virtualPins.count != pinCount {
                virtualPins = [UInt8](repeating: 0, count: pinCount)
            }
            for index in virtualPins.indices { coder.integer(&virtualPins[index]) }
        } else {
            coder.reserved(pinCount)
        }
        coder.integer(&continuousWave)
        coder.reserved(2)
        coder.integers(&pinInterrupts, &pulledUp, &pulledDown)
    }
}

/// The load and the temperature of the chip: `MON-SYS`.
package struct MonSYS: UBXMessage {
    package static let id = UBXMessageID(0x0A, 0x39)

    package var version: UInt8 = 1
    /// The reason of the last start.
    private var bootType: UInt8 = 0
    /// The load of the processor, and the use of memory and of ports, each with its peak, in per
    /// cent.
    private var loads = [UInt8](repeating: 0, count: 6)
    /// The seconds since the start.
    private var runTime: UInt32 = 0
    /// The numbers of notices, warnings and errors.
    private var counts = [UInt16](repeating: 0, count: 3)
    /// The temperature in degrees Celsius; 0 from firmware that does not measure it.
    package var temperature: Int8 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&version, &bootType)
        for index in loads.indices { coder.integer(&loads[index]) }
        coder.integer(&runTime)
        for index in counts.indices { coder.integer(&counts[index]) }
        coder.integer(&temperature)
        coder.reserved(5)
    }
}

/// The state of the RF front end: `MON-RF`.
package struct MonRF: UBXMessage {
    package static let id = UBXMessageID(0x0A, 0x38)

    /// The state of one band.
    package struct Block: UBXBlock {
        /// Whether the block has the compact format of F9R, which does not report the jamming
        /// state.
        package var isCompact = false
        /// The number of the band: 0 for L1, 1 for L2 and L5.
        package var number: UInt8 = 0
        /// The flags. Bits 0 and 1 are the jamming state.
        package var flags: UInt8 = 0
        package var antenna = UBXAntennaState.unknown
        package var antennaPower = UBXAntennaPower.unknown
        /// The suppression of continuous-wave interference, 0 to 255. Only in the compact format.
        package var suppression: UInt8 = 0
        /// The result of the self-test at start.
        private var selfTest: UInt32 = 0
        /// The noise level, without a unit.
        package var noise: UInt16 = 0
        /// The gain set by the automatic gain control, 0 to 8191.
        package var gain: UInt16 = 0
        /// The strength of a continuous-wave interferer, 0 to 255.
        package var continuousWave: UInt8 = 0
        /// The imbalance of the signal's in-phase (I) component, in units of 1/256 of full scale.
        package var offsetI: Int8 = 0
        /// The magnitude of the signal's in-phase (I) component; 255 is the highest.
        package var magnitudeI: UInt8 = 0
        /// The imbalance of the signal's quadrature (Q) component, in units of 1/256 of full scale.
        package var offsetQ: Int8 = 0
        /// The magnitude of the signal's quadrature (Q) component; 255 is the highest.
        package var magnitudeQ: UInt8 = 0

        package init() {}

        package mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&number)
            if !isCompact { coder.integer(&flags) }
            coder.value(&antenna)
            coder.value(&antennaPower)
            if isCompact { coder.integer(&suppression) }
            coder.integer(&selfTest)
            coder.reserved(4)
            coder.integers(&noise, &gain)
            if !isCompact { coder.integer(&continuousWave) }
            coder.integers(&offsetI, &magnitudeI, &offsetQ, &magnitudeQ)
            if !isCompact { coder.reserved(3) }
        }

        static let size = 24
        static let compactSize = 20

        /// The jamming state. It is always unknown if the firmware reports the state in `SecSIG`
        /// instead.
        package var jamming: UBXJammingState { UBXJammingState(rawValue: flags.bits(0...1)) }
    }

    package var version: UInt8 = 0
    /// The reporting receiver, if the device contains several.
    package var source: UInt8 = 0
    /// The state of each band.
    package var blocks: [Block] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.count(of: &blocks)
        coder.integer(&source)
        coder.reserved(1)
        if let remaining = coder.remaining, Self.isCompact(remaining, of: blocks.count) {
            for index in blocks.indices { blocks[index].isCompact = true }
        }
        coder.elements(&blocks)
    }

    private static func isCompact(_ byteCount: Int, of count: Int) -> Bool {
        count > 0 && byteCount / count == Block.compactSize
    }

    /// Returns an empty block in the format of the blocks that `reader` has skipped, to read them
    /// one by one. Returns `nil` if the list of blocks is truncated. The reader must have been
    /// created with `UBXReader.init(leavingOutListOf:)`.
    package func layout(ofListIn reader: borrowing UBXReader) -> Block? {
        var block = Block()
        block.isCompact = Self.isCompact(reader.remaining ?? 0, of: reader.listCount)
        return reader.canReadList(of: block.isCompact ? Block.compactSize : Block.size)
            ? block : nil
    }
}

/// The spectrum of the received bands: `MON-SPAN`.
package struct MonSPAN: UBXMessage {
    package static let id = UBXMessageID(0x0A, 0x31)

    /// The spectrum of one band.
    package struct Block: UBXBlock {
        /// The signal levels at 256 frequencies in units of 0.25 dB, from the lowest frequency to
        /// the highest.
        private var spectrum = [UInt8](repeating: 0, count: 256)
        /// The difference between the first and the last frequency in hertz.
        package var span: UInt32 = 0
        /// The difference between two neighbouring frequencies in hertz.
        private var resolution: UInt32 = 0
        /// The centre frequency in hertz.
        private var center: UInt32 = 0
        /// The gain of the programmable amplifier in decibels.
        private var gain: UInt8 = 0

        package init() {}

        package mutating func fields(_ coder: inout some UBXCoder) {
            for index in spectrum.indices { coder.integer(&spectrum[index]) }
            coder.integers(&span, &resolution, &center, &gain)
            coder.reserved(3)
        }
    }

    package var version: UInt8 = 0
    /// The number of the reporting receiver, in bits 0 and 1.
    package var source: UInt8 = 0
    /// The spectrum of each band.
    package var blocks: [Block] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.count(of: &blocks)
        coder.integer(&source)
        coder.reserved(1)
        coder.elements(&blocks)
    }
}

/// The state of the output buffers: `MON-TXBUF`. Each list has six elements, for I2C, UART 1, UART
/// 2, USB, SPI and a reserved port.
package struct MonTXBUF: UBXMessage {
    package static let id = UBXMessageID(0x0A, 0x08)

    package struct Errors: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether messages were dropped because a buffer was full.
        package var isBufferFull: Bool { rawValue.hasBit(7) }
    }

    /// The number of bytes waiting to be sent on each port.
    private var pending = [UInt16](repeating: 0, count: 6)
    /// The usage of each port's buffer in per cent.
    package var usage = [UInt8](repeating: 0, count: 6)
    /// The peak usage of each port's buffer in per cent.
    private var peakUsage = [UInt8](repeating: 0, count: 6)
    /// The usage of all buffers together in per cent.
    private var totalUsage: UInt8 = 0
    /// The peak usage of all buffers together in per cent.
    private var totalPeakUsage: UInt8 = 0
    package var errors = Errors(rawValue: 0)

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        for index in pending.indices { coder.integer(&pending[index]) }
        for index in usage.indices { coder.integer(&usage[index]) }
        for index in peakUsage.indices { coder.integer(&peakUsage[index]) }
        coder.integers(&totalUsage, &totalPeakUsage)
        coder.value(&errors)
        coder.reserved(1)
    }
}

/// The versions of hardware and firmware: `MON-VER`.
public struct MonVER: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x04)

    /// A line of text about the receiver.
    public struct Extension: UBXBlock {
        /// The text of the line.
        public var text = ""

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.text(&text, count: 30)
        }
    }

    /// The version of the firmware.
    public var software = ""
    /// The version of the chip. For example, `00080000` is M8.
    public var hardware = ""
    /// Further lines about the receiver, such as `PROTVER=34.10`.
    public var extensions: [Extension] = []

    public init() {}

    /// Whether the receiver is simulated. UBX has no field for it, so gpsbridge's simulated receivers
    /// say it in a line of their own.
    package var isSimulated: Bool {
        extensions.contains { $0.text == UBXNotice.simulated }
    }

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.text(&software, count: 30)
        coder.text(&hardware, count: 10)
        coder.rest(&extensions, size: 30)
    }

    /// The UBX protocol version, such as 34.10, which determines the features of the chip; `nil` if
    /// the chip does not report it (before generation 7).
    public var protocolVersion: Double? {
        value(of: "PROTVER").flatMap(Double.init)
    }

    /// The version of the firmware, such as `HPG 1.50`. `software` is used if the receiver does not
    /// report it separately (before generation 8).
    public var firmware: String { value(of: "FWVER") ?? software }

    /// The name of the module, such as `NEO-M9N-0`; `nil` if the receiver does not report it.
    public var module: String? { value(of: "MOD") }

    /// Returns the text that follows `name` and `=` or a space in one of the extensions; `nil` if
    /// there is none.
    private func value(of name: String) -> String? {
        for line in extensions where line.text.hasPrefix(name) {
            let rest = line.text.dropFirst(name.count)
            guard let separator = rest.first, separator == "=" || separator == " " else { continue }
            return String(rest.dropFirst())
        }
        return nil
    }
}
