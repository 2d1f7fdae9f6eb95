// SPDX-License-Identifier: MIT
package import GNSS

/// Rotational speed of an engine or a shaft.
///
///     $--RPM,a,x,x.x,x.x,A*hh
///     $IIRPM,E,1,2418.2,10.5,A*5F
package struct RPM: InstrumentSentence, Hashable {
    package static let formatter: SentenceFormatter = "RPM"
    /// All fields up to the speed are required.
    package static let minimumFieldCount = 3

    /// The rotating part: `S` shaft, `E` engine.
    package var origin: UInt8?
    /// The number of the engine or shaft: 0 for one in the middle or a single one, odd to
    /// starboard, even to port.
    package var number: Int?
    /// The rotational speed in revolutions per minute.
    package var rate: Double?
    /// The propeller pitch in per cent of the maximum; negative astern.
    package var pitch: Double?
    /// The status: `A` valid, `V` not valid.
    package var status: UInt8?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.letter(&origin)
        coder.integer(&number)
        coder.decimal(&rate)
        coder.decimal(&pitch)
        coder.letter(&status)
    }

    /// Sets the speed of the single or first starboard engine (number 0, 1 or missing), or of the
    /// first port engine (2), or removes it if it is invalid. Shafts are ignored.
    package func contribute(to epoch: inout Epoch) {
        guard origin == UInt8(ascii: "E") else { return }
        let isValid = status != UInt8(ascii: "V")
        if number == 2 {
            epoch.fill(.portEngineSpeed, rate, isValid: isValid)
        } else if number == nil || number == 0 || number == 1 {
            epoch.fill(.engineSpeed, rate, isValid: isValid)
        }
    }
}

/// Rudder angles.
///
///     $--RSA,x.x,A,x.x,A*hh
///     $IIRSA,10.5,A,-0.4,V*4A
package struct RSA: InstrumentSentence, Hashable {
    package static let formatter: SentenceFormatter = "RSA"
    /// The two fields of the starboard rudder are required.
    package static let minimumFieldCount = 2

    /// The angle of the starboard or single rudder in degrees; negative to port.
    package var starboard: Double?
    /// The status: `A` valid, `V` not valid.
    private var starboardStatus: UInt8?
    /// The angle of the port rudder in degrees; negative to port.
    package var port: Double?
    /// The status: `A` valid, `V` not valid.
    package var portStatus: UInt8?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&starboard)
        coder.letter(&starboardStatus)
        coder.decimal(&port)
        coder.letter(&portStatus)
    }

    /// Sets the angle of the starboard or single rudder, or removes it if it is invalid.
    package func contribute(to epoch: inout Epoch) {
        guard let starboardStatus else { return }
        epoch.fill(.rudder, starboard, isValid: starboardStatus == UInt8(ascii: "A"))
    }
}

/// A target tracked by radar.
///
///     $--TTM,xx,x.x,x.x,a,x.x,x.x,a,x.x,x.x,a,c--c,a,a,hhmmss.ss,a*hh
///     $RATTM,11,11.4,13.6,T,7.0,20.0,T,0.5,-2.3,N,FERRY,T,,101520.00,M*4A
package struct TTM: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "TTM"
    /// All fields up to the status are required.
    package static let minimumFieldCount = 12

    /// The number of the target: 0 to 99, or up to 999 in later versions.
    package var number: Int?
    /// The distance in `unit`.
    package var distance: Double?
    /// The bearing of the target from the own ship in degrees.
    package var bearing: Double?
    /// The reference of the bearing: `T` true, `R` relative to the bow.
    private var bearingReference: UInt8?
    /// The speed of the target in `unit` per hour.
    package var speed: Double?
    /// The course of the target in degrees.
    package var course: Double?
    /// The reference of the course: `T` true, `R` relative to the bow.
    private var courseReference: UInt8?
    /// The distance at the closest approach, in `unit`.
    package var closestDistance: Double?
    /// The time until the closest approach in minutes; negative if it is in the past.
    package var closestTime: Double?
    /// The unit of distances: `K` kilometres, `N` nautical miles, `S` statute miles.
    package var unit: UInt8?
    /// The name of the target.
    package var name: String?
    /// The status of the target: `L` lost, `Q` being acquired, `T` tracked.
    package var status: UInt8?
    /// `R` if the target is used as a reference for the own ship's speed.
    private var reference: UInt8?
    /// The UTC time of the data (NMEA 3.0).
    package var time: TimeOfDay?
    /// How the target was acquired: `A` automatically, `M` manually, `R` by another station's
    /// report (NMEA 3.0).
    private var acquisition: UInt8?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.integer(&number, width: 2)
        coder.decimal(&distance, in: 0...1e9)
        coder.bearing(&bearing)
        coder.letter(&bearingReference)
        coder.decimal(&speed, in: 0...1e9)
        coder.bearing(&course)
        coder.letter(&courseReference)
        coder.decimal(&closestDistance)
        coder.decimal(&closestTime)
        coder.letter(&unit)
        coder.text(&name)
        coder.letter(&status)
        coder.letter(&reference)
        coder.time(&time)
        coder.letter(&acquisition)
    }
}

/// A text message from the receiver.
///
///     $--TXT,xx,xx,xx,c--c*hh
///     $GPTXT,01,01,02,ANTENNA OK*36
package struct TXT: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "TXT"

    /// The number of sentences in the set.
    package var total: Int?
    /// The number of this sentence in the set, from 1.
    package var part: Int?
    /// The kind of text. For u-blox: 0 error, 1 warning, 2 notice, 7 user.
    package var identifier: Int?
    /// The text, with escapes decoded.
    package var text: String?

    package init() {}

    package init(_ fields: inout FieldReader) throws(NMEAError) {
        // Some receivers send only the text.
        if fields.count < 4 { text = fields.remainingText() } else { self.fields(&fields) }
    }

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.integer(&total, width: 2)
        coder.integer(&part, width: 2)
        coder.integer(&identifier, width: 2)
        // Commas in the text are a receiver error. They are kept.
        coder.field(&text, read: { $0.remainingText() }, write: { $0.text($1) })
    }
}

/// Measurements from any number of transducers.
///
///     $--XDR,a,x.x,a,c--c,…*hh
///     $IIXDR,C,19.5,C,AIR,P,1.01325,B,BARO,A,-2.4,D,ROLL*3C
package struct XDR: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "XDR"
    /// The fields of one transducer are required.
    package static let minimumFieldCount = 4

    /// One measurement from a transducer.
    package struct Transducer: Hashable, Sendable {
        /// The type of the transducer: `A` angle, `C` temperature, `D` distance, `F` frequency, `G`
        /// generic, `H` humidity, `I` current, `L` salinity, `N` force, `P` pressure, `R` flow, `S`
        /// switch, `T` revolutions, `U` voltage, `V` volume.
        package var kind: UInt8?
        /// The measured value in `unit`.
        package var value: Double?
        /// The unit: `D` degrees, `C` Celsius, `M` metres or cubic metres, `H` hertz, `P` per cent
        /// or pascal, `A` ampere, `S` parts per thousand, `N` newton, `B` bar, `l` litres per
        /// second, `R` revolutions per minute, `V` volt.
        package var unit: UInt8?
        package var name: String?

        /// Creates a measurement. Omit arguments whose values are unknown.
        package init(
            kind: UInt8? = nil, value: Double? = nil, unit: UInt8? = nil, name: String? = nil
        ) {
            self.kind = kind
            self.value = value
            self.unit = unit
            self.name = name
        }

        fileprivate mutating func fields(_ coder: inout some FieldCoder) {
            coder.letter(&kind)
            coder.decimal(&value)
            coder.letter(&unit)
            coder.text(&name)
        }
    }

    /// The measurements, in the order of the sentence.
    package var transducers: [Transducer] = []

    package init() {}

    package init(_ fields: inout FieldReader) throws(NMEAError) {
        transducers = Array(repeating: Transducer(), count: fields.count / 4)
        self.fields(&fields)
    }

    package mutating func fields(_ coder: inout some FieldCoder) {
        for index in transducers.indices { transducers[index].fields(&coder) }
    }

    /// Sets pitch and roll in degrees. The transducers are recognised by the names that autopilots
    /// and gpsd use.
    package func contribute(to epoch: inout Epoch) {
        let (pitch, roll) = (angle("PTCH") ?? angle("PITCH"), angle("ROLL"))
        // Some transducers send values in a unit other than the stated one.
        guard abs(pitch ?? 0) <= 90, abs(roll ?? 0) <= 180 else { return }
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll)
    }

    private func angle(_ name: String) -> Double? {
        transducers.first {
            $0.name?.trimmed == name && $0.kind == UInt8(ascii: "A") && $0.unit == UInt8(ascii: "D")
        }?.value
    }
}
