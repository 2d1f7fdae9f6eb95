// SPDX-License-Identifier: MIT

extension FixProperty {
    /// The properties for a vessel's instruments. Their columns in `gpsbridge-fleet` are named as
    /// in gpsd's `TPV`.
    ///
    /// Wind speeds have one decimal, as in gpsd's `TPV`, so that all formats agree with JSON.
    ///
    /// `depth` must follow `depthOffset`, because gpsbabel's unicsv reads the last column with
    /// "depth" in its name.
    static let instruments: [FixProperty] = [
        .init(.depthOffset, "m", 2, column: .init(29, "depthOffset", 3)),
        .init(.depth, "m", 2, column: .init(28, "depth", 3)),
        .init(.waterTemperature, "degC", 1, column: .init(30, "wtemp", 2)),
        .init(.apparentWindAngle, "deg", 1, column: .init(31, "wangler", 2)),
        .init(.apparentWindSpeed, "m/s", 1, column: .init(32, "wspeedr", 3)),
        .init(.trueWindAngle, "deg", 1, column: .init(33, "trueWindAngle", 2)),
        .init(.trueWindDirection, "deg", 1, column: .init(34, "wanglet", 2)),
        .init(.magneticWindDirection, "deg", 1, column: .init(35, "wanglem", 2)),
        .init(.trueWindSpeed, "m/s", 1, column: .init(36, "wspeedt", 3)),
        .init(.waterSpeed, "m/s", 2, column: .init(37, "waterSpeed", 3)),
        .init(.log, "m", 0, column: .init(38, "log", 1)),
        .init(.tripLog, "m", 0, column: .init(39, "tripLog", 1)),
        .init(.rudder, "deg", 1, column: .init(40, "rudder", 2)),
        .init(.engineSpeed, "rpm", 0, column: .init(41, "engineSpeed", 1)),
        .init(.portEngineSpeed, "rpm", 0, column: .init(42, "portEngineSpeed", 1)),
    ]

    private init(
        _ quantity: Instruments.Quantity, _ unit: String, _ decimals: Int, column: Column
    ) {
        self.init(
            quantity.rawValue, { $0.instruments[quantity] }, { $0.instruments[quantity] = $1 },
            unit, decimals, isDirection: quantity.isDirection, cell: .instrument, column: column)
    }
}
