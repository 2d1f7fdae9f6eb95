// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing
import UBX

/// The configuration of simulated u-blox chips.
@Suite(.timeLimit(.generous))
struct ConfigurationTests {
    private static let databases: [Personality] = [.ublox9, .ublox10, .f9p]
    private static let legacies: [Personality] = [.ublox6, .ublox7, .ublox8]

    // MARK: Rates

    @Test(arguments: databases)
    func `a chip with a database changes its rate at once, on the grid of the new one`(
        _ personality: Personality
    ) {
        var chip = ConfiguredChip(personality)
        #expect(chip.set([(.measurementPeriod, 100)]) == true)
        #expect(chip.epochs(3).map { ($0.seconds * 10).rounded() } == [1, 2, 3])
    }

    @Test(arguments: legacies + [.ublox9, .f9p])
    func `a chip that knows CFG-RATE changes its rate by it`(_ personality: Personality) {
        var chip = ConfiguredChip(personality)
        var rate = CfgRATE()
        rate.measurementPeriod = 200
        #expect(chip.configure(rate) == true)
        #expect(chip.poll(CfgRATE.self)?.measurementPeriod == 200)
        #expect(chip.epochs(2).map { ($0.seconds * 10).rounded() } == [2, 4])
        rate.measurementPeriod = 1
        #expect(chip.configure(rate) == false)
    }

    @Test func `a chip from M9 counts the bytes that its port has received`() throws {
        var chip = ConfiguredChip(.ublox10)
        let before = try #require(chip.poll(MonCOMMS.self)?.ports.first)
        chip.send([UInt8](repeating: 0x20, count: 100))
        let after = try #require(chip.poll(MonCOMMS.self)?.ports.first)
        #expect(after.number == before.number)
        #expect(after.bytesIn - before.bytesIn == 108)
        var old = ConfiguredChip(.ublox8)
        #expect(old.poll(MonCOMMS.self) == nil)
    }

    @Test func `an M10 refuses CFG-RATE, and knows CFG-MSG`() {
        var chip = ConfiguredChip(.ublox10)
        #expect(chip.configure(CfgRATE()) == false)
        #expect(chip.configure(CfgMSG(NavPVT.id, rate: 1)) == true)
        #expect(chip.epochs(1)[0].ids.contains(NavPVT.id))
    }

    @Test(arguments: [(.ublox6, 4), (.ublox7, 12), (.ublox8, 20)] as [(Personality, Int)])
    func `CFG-NMEA has the length of its generation`(_ personality: Personality, _ count: Int) {
        var chip = ConfiguredChip(personality)
        let answer = chip.send(UBXFrame.bytes(CfgNMEA.id, payload: [])).first
        #expect(answer?.payload.count == count)
        #expect(chip.send(UBXFrame.bytes(CfgNMEA.id, payload: answer?.payload ?? [])).count == 1)
    }

    @Test func `a u-blox 6 refuses CFG-GNSS and NAV-PVT, which it does not have`() {
        var chip = ConfiguredChip(.ublox6)
        #expect(chip.poll(CfgGNSS.self) == nil)
        #expect(chip.configure(CfgGNSS()) == false)
        #expect(chip.configure(CfgMSG(NavPVT.id, rate: 1)) == false)
        #expect(chip.configure(CfgMSG(NavSOL.id, rate: 1)) == true)
    }

    @Test(arguments: legacies)
    func `a chip without a database refuses it`(_ personality: Personality) {
        var chip = ConfiguredChip(personality)
        #expect(chip.set([(.measurementPeriod, 100)]) == false)
        #expect(chip.value(.measurementPeriod) == nil)
    }

    // MARK: All or nothing

    @Test func `an unknown key, a wrong value and a missing layer reject the whole message`() {
        var chip = ConfiguredChip(.ublox10)
        #expect(chip.set([(.measurementPeriod, 100), (ConfigurationKey(0x2099_0001), 1)]) == false)
        #expect(chip.set([(.measurementPeriod, 100), (.navigationRatio, 0)]) == false)
        #expect(chip.set([(.measurementPeriod, 100)], in: .flash) == false)
        #expect(
            chip.set([(.measurementPeriod, 100)], in: ConfigurationLayers(rawValue: 0)) == false)
        #expect(chip.set([(.configurationLock, 1)]) == false)
        #expect(chip.value(.measurementPeriod) == 1000)
    }

    @Test func `more than 64 values are refused`() {
        var chip = ConfiguredChip(.f9p)
        let item: (ConfigurationKey, UInt64) = (.measurementPeriod, 500)
        #expect(chip.set(Array(repeating: item, count: 64)) == true)
        #expect(chip.set(Array(repeating: item, count: 65)) == false)
    }

    @Test func `a transaction takes effect when it is applied`() {
        var chip = ConfiguredChip(.ublox9)
        func step(_ step: ConfigurationTransaction, _ key: ConfigurationKey, _ value: UInt64)
            -> CfgVALSET
        {
            var message = CfgVALSET([ConfigurationItem(key, value)])
            (message.version, message.transaction) = (1, step)
            return message
        }
        #expect(chip.configure(step(.goOn, .navigationRatio, 2)) == false)
        #expect(chip.configure(step(.start, .measurementPeriod, 100)) == true)
        #expect(chip.configure(step(.goOn, .navigationRatio, 2)) == true)
        #expect(chip.value(.measurementPeriod) == 1000)
        #expect(chip.configure(step(.apply, .dynamicModel, 4)) == true)
        #expect(chip.value(.measurementPeriod) == 100)
        #expect(chip.value(.navigationRatio) == 2)
        // Any other configuration message cancels a transaction.
        #expect(chip.configure(step(.start, .measurementPeriod, 500)) == true)
        #expect(chip.poll(CfgRATE.self) != nil)
        #expect(chip.configure(step(.apply, .dynamicModel, 4)) == false)
    }

    @Test func `all values are returned in pages of 64`() throws {
        var chip = ConfiguredChip(.f9p)
        var keys: [ConfigurationKey] = []
        while true {
            let request = CfgVALGET([.everything], position: UInt16(keys.count))
            let answers = chip.send(request.frame)
            #expect(answers.map(\.id) == [CfgVALGET.id, AckACK.id])
            let answer = answers.first.flatMap { CfgVALGET(payload: $0.payload.span) }
            let page = try #require(answer?.items)
            keys += page.map(\.key)
            if page.count < 64 { break }
        }
        #expect(keys.count > 300 && Set(keys).count == keys.count)
    }

    // MARK: Memory

    @Test
    func `values in RAM are lost with the power, those in the battery's memory with the battery`() {
        for (layers, keepsBattery, lasts) in [
            (ConfigurationLayers.ram, true, false),
            (ConfigurationLayers.ram.union(.battery), true, true),
            (ConfigurationLayers.ram.union(.battery), false, false),
        ] {
            let supply = SupplySwitch()
            var chip = ConfiguredChip(.ublox10) { $0.supply = supply }
            #expect(chip.set([(.dynamicModel, 4)], in: layers) == true)
            supply.cut(keepsBattery: keepsBattery)
            #expect(chip.epochs(2).allSatisfy { $0.bytes.isEmpty })
            #expect(chip.send(UBXFrame.bytes(MonVER.id, payload: [])).isEmpty)
            supply.restore()
            _ = chip.epochs(1)
            #expect(chip.value(.dynamicModel) == (lasts ? 4 : 0))
        }
    }

    @Test func `flash lasts, and is deleted by VALDEL`() {
        let supply = SupplySwitch()
        var chip = ConfiguredChip(.f9p) { $0.supply = supply }
        #expect(chip.set([(.dynamicModel, 4)], in: .flash) == true)
        #expect(chip.value(.dynamicModel) == 0 && chip.value(.dynamicModel, in: .flash) == 4)
        #expect(chip.value(.dynamicModel, in: .battery) == nil)
        supply.cut(keepsBattery: false)
        _ = chip.epochs(1)
        supply.restore()
        _ = chip.epochs(1)
        #expect(chip.value(.dynamicModel) == 4)
        #expect(chip.configure(CfgVALDEL([.dynamicModel], layers: .flash)) == true)
        #expect(chip.value(.dynamicModel, in: .flash) == nil)
    }

    @Test func `an M8 saves by CFG-CFG, and a factory reset undoes it`() throws {
        var faults = FaultScript()
        faults.faults = [Fault(.powerOff(keepsBattery: true), at: 2, for: 2)]
        var chip = ConfiguredChip(.noon(.ublox8, faults))
        let read = chip.poll(CfgNAV5.self)
        var navigation = try #require(read)
        (navigation.mask, navigation.dynamicModel) = (.dynamicModel, 4)
        #expect(chip.configure(navigation) == true)
        #expect(chip.configure(CfgCFG.saveAll) == true)
        navigation.dynamicModel = 5
        #expect(chip.configure(navigation) == true)
        _ = chip.run(for: 5)
        #expect(chip.poll(CfgNAV5.self)?.dynamicModel == 4)
        #expect(chip.configure(CfgCFG.factoryReset) == true)
        #expect(chip.poll(CfgNAV5.self)?.dynamicModel == 0)
    }

    @Test func `a decimal setting of an M8 is read as it was set`() throws {
        var chip = ConfiguredChip(.noon(.ublox8))
        let read = chip.poll(CfgNAV5.self)
        var navigation = try #require(read)
        (navigation.mask, navigation.fixedAltitude) = (.fixMode, 0.29)
        #expect(chip.configure(navigation) == true)
        #expect(chip.poll(CfgNAV5.self)?.fixedAltitude == 0.29)
    }

    // MARK: Output

    @Test func `messages are switched on and off for each port`() {
        var chip = ConfiguredChip(.ublox8)
        #expect(chip.configure(CfgMSG(UBXMessageID(0xF0, 3), rate: 0)) == true)
        #expect(chip.configure(CfgMSG(NavSAT.id, rate: 2)) == true)
        var other = CfgMSG()
        (other.messageClass, other.number, other.rates) = (1, 7, [0, 1, 0, 0, 0, 0])
        #expect(chip.configure(other) == true)
        let epochs = chip.epochs(4)
        #expect(epochs.allSatisfy { !$0.text.contains("GSV") && $0.text.contains("RMC") })
        #expect(epochs.filter { $0.ids.contains(NavSAT.id) }.count == 2)
        #expect(!epochs.contains { $0.ids.contains(NavPVT.id) })
        #expect(chip.configure(CfgMSG(MonRF.id, rate: 1)) == false)
    }

    @Test func `the constellations of an M8 are limited, and their change restarts the search`()
        throws
    {
        var chip = ConfiguredChip(.ublox8)
        let read = chip.poll(CfgGNSS.self)
        var message = try #require(read)
        func enable(_ ids: Set<UInt8>) {
            for index in message.blocks.indices {
                message.blocks[index].isEnabled = ids.contains(message.blocks[index].gnssID)
            }
        }
        enable([0, 2, 3, 6])
        #expect(chip.configure(message) == false)
        enable([])
        #expect(chip.configure(message) == false)
        // GLONASS and BeiDou each need a band besides that of GPS and Galileo.
        enable([0, 3, 6])
        #expect(chip.configure(message) == false)
        enable([3, 6])
        #expect(chip.configure(message) == true)
        enable([0, 2])
        let text = String(decoding: chip.receiver.answers(to: message.frame), as: UTF8.self)
        #expect(text.contains("Stopping GNSS") && text.contains("Starting GNSS"))
        let epochs = chip.epochs(3)
        #expect(epochs[2].text.contains("$GAGSV") && !epochs[2].text.contains("$GLGSV"))
        #expect(epochs[2].observation.solution != nil)
    }

    @Test func `an M9 has no key for QZSS L1S, and refuses it`() throws {
        var chip = ConfiguredChip(.ublox9)
        let key = try #require(SignalKey.signals.first { $0.name == "QZSS_L1S" }).key
        #expect(chip.value(key) == nil)
        #expect(chip.set([(key, 1)]) == false)
    }

    @Test func `an M10 receives one of B1I and B1C, and GLONASS with B1C only`() throws {
        var chip = ConfiguredChip(.ublox10)
        let keys = Dictionary(
            uniqueKeysWithValues: (SignalKey.constellations + SignalKey.signals).map {
                ($0.name, $0.key)
            })
        let (glonass, galileo) = (try #require(keys["GLO"]), try #require(keys["GAL"]))
        let (first, second) = (try #require(keys["BDS_B1"]), try #require(keys["BDS_B1C"]))
        #expect(chip.set([(second, 1)]) == false)
        #expect(chip.set([(galileo, 0)]) == false)
        #expect(chip.set([(galileo, 0), (glonass, 0)]) == true)
        #expect(chip.set([(second, 1)]) == false)
        #expect(chip.set([(glonass, 1)]) == false)
        #expect(chip.set([(glonass, 1), (first, 0), (second, 1)]) == true)
        #expect(chip.set([(first, 1)]) == false)
        #expect(chip.set([(first, 1), (second, 0)]) == false)
    }

    @Test func `an X20P whose constellations changed sends each signal with its own number`()
        throws
    {
        var chip = ConfiguredChip(.x20p)
        let qzss = try #require(SignalKey.constellations.first { $0.name == "QZSS" }).key
        #expect(chip.set([(qzss, 0)]) == true)
        #expect(chip.configure(CfgMSG(NavSIG.id, rate: 1)) == true)
        let bytes = chip.epochs(4).last?.bytes ?? []
        let frame = UBXRun.frames(in: bytes).frames.first { $0.id == NavSIG.id }
        let message = try #require(frame.flatMap { NavSIG(payload: $0.payload.span) })
        let galileo = message.signals.filter { $0.gnssID == 2 }
        #expect(Set(galileo.map(\.signalID)) == [0, 4, 8])
    }

    @Test func `an F9P needs both bands of a constellation`() throws {
        var chip = ConfiguredChip(.f9p)
        let keys = Dictionary(uniqueKeysWithValues: SignalKey.signals.map { ($0.name, $0.key) })
        let (second, slow) = (try #require(keys["GPS_L2C"]), try #require(keys["QZSS_L1S"]))
        #expect(chip.set([(second, 0)]) == false)
        #expect(chip.set([(slow, 1)]) == true)
        let others = SignalKey.constellations.filter { ![0, 7].contains($0.gnssID) }
        #expect(chip.set(others.map { ($0.key, 0) }) == true)
        // An epoch off the grid, without satellites.
        let epochs = chip.epochs(3)
        #expect(epochs[0].seconds < 1 && epochs[0].observation.solution == nil)
        #expect(
            epochs[2].observation.satellites.filter(\.isUsed).allSatisfy {
                $0.id.constellation == .gps
            })
    }

    @Test func `a port without UBX as input does not answer`() {
        var chip = ConfiguredChip(.ublox10)
        #expect(chip.set([(.input(.ubx, on: .usb), 0)]) == true)
        #expect(chip.send(UBXFrame.bytes(MonVER.id, payload: [])).isEmpty)
    }

    @Test func `a minimum elevation takes effect`() {
        var chip = ConfiguredChip(.ublox10)
        #expect(chip.set([(.minimumElevation, 40)]) == true)
        let used = chip.epochs(1)[0].observation.satellites.filter(\.isUsed)
        #expect(!used.isEmpty && used.allSatisfy { $0.elevation >= 40 })
    }

    // MARK: Faults of commands

    @Test func `faults lose answers and commands`() {
        var chip = ConfiguredChip(.noon(.ublox10, [Fault(.lostAnswers, for: 2)]))
        #expect(chip.set([(.dynamicModel, 4)]) == nil)
        _ = chip.run(for: 3)
        #expect(chip.value(.dynamicModel) == 4)
        chip = ConfiguredChip(.noon(.ublox10, [Fault(.fullBuffer, for: 2)]))
        #expect(chip.set([(.dynamicModel, 4)]) == nil)
        _ = chip.run(for: 3)
        #expect(chip.value(.dynamicModel) == 0)
    }

    @Test func `a fault delays answers`() throws {
        var receiver = SimulatedReceiver(.noon(.ublox10, [Fault(.lateAnswers(2))]))
        _ = receiver.next()
        let answers = receiver.receive(UBXFrame.bytes(MonVER.id, payload: []), at: 0.5)
        #expect(try #require(answers.first).due > 0.5)
    }
}

/// A simulated chip and a program that configures it.
struct ConfiguredChip {
    var receiver: SimulatedReceiver

    init(_ configuration: SimulatedReceiver.Configuration) {
        receiver = SimulatedReceiver(configuration)
        _ = receiver.next()
    }

    init(
        _ personality: Personality,
        _ change: (inout SimulatedReceiver.Configuration) -> Void = { _ in }
    ) {
        var configuration = SimulatedReceiver.Configuration.noon(personality)
        change(&configuration)
        self.init(configuration)
    }

    /// Sends a frame. Returns the frames that answer it.
    @discardableResult
    mutating func send(_ frame: [UInt8]) -> [(id: UBXMessageID, payload: [UInt8])] {
        UBXRun.frames(in: receiver.answers(to: frame)).frames
    }

    /// Sends a configuration message. Returns whether it was accepted; `nil` without an answer.
    @discardableResult
    mutating func configure(_ message: some UBXMessage) -> Bool? {
        let ids = send(message.frame).map(\.id)
        return ids.contains(AckACK.id) ? true : ids.contains(AckNAK.id) ? false : nil
    }

    @discardableResult
    mutating func set(
        _ items: [(ConfigurationKey, UInt64)], in layers: ConfigurationLayers = .ram
    ) -> Bool? {
        configure(CfgVALSET(items.map { ConfigurationItem($0.0, $0.1) }, layers: layers))
    }

    /// Returns the value of a key; `nil` if the chip refuses the request.
    mutating func value(
        _ key: ConfigurationKey, in layer: ConfigurationLayer = .ram
    ) -> UInt64? {
        let answers = send(CfgVALGET([key], layer: layer).frame)
        return answers.first.flatMap { CfgVALGET(payload: $0.payload.span) }?.items?.first?.value
    }

    /// Returns the answer to a poll.
    mutating func poll<Message: UBXMessage>(_ type: Message.Type, _ selector: [UInt8] = [])
        -> Message?
    {
        let answers = send(UBXFrame.bytes(type.id, payload: selector))
        return answers.first { $0.id == type.id }.flatMap { Message(payload: $0.payload.span) }
    }

    /// Returns the next epochs.
    mutating func epochs(_ count: Int) -> [SimulatedEpoch] {
        (0..<count).map { _ in receiver.next() }
    }

    /// Runs for a number of seconds. Returns the epochs.
    mutating func run(for seconds: Double) -> [SimulatedEpoch] {
        let end = receiver.due + seconds
        var epochs: [SimulatedEpoch] = []
        while receiver.due < end - 1e-6 { epochs.append(receiver.next()) }
        return epochs
    }
}

extension SimulatedEpoch {
    /// The ids of the UBX frames.
    var ids: [UBXMessageID] { UBXRun.frames(in: bytes).frames.map(\.id) }
    /// The text of the sentences.
    var text: String { String(decoding: UBXRun.frames(in: bytes).rest, as: UTF8.self) }
}
