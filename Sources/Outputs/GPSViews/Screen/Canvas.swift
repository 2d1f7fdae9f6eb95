// SPDX-License-Identifier: MIT
package import GNSS

/// A rectangle of cells to draw on. Drawing outside it has no effect.
package struct Canvas: Hashable, Sendable {
    /// A character with its style.
    package struct Cell: Hashable, Sendable {
        /// A character that is one column wide.
        package var character: Unicode.Scalar = " "
        /// The colour and the emphasis.
        package var style = Style.plain

        /// Creates a cell. Default: a space.
        package init(character: Unicode.Scalar = " ", style: Style = .plain) {
            self.character = character
            self.style = style
        }
    }

    /// The width in columns.
    package let width: Int
    /// The height in rows.
    package let height: Int
    /// The cells, row by row.
    package private(set) var cells: [Cell]
    /// The number of rows of scrollable content that did not fit.
    var hiddenRows = 0
    /// The number of columns of scrollable content that did not fit.
    package var hiddenColumns = 0

    /// Creates an empty canvas. A negative size counts as 0.
    package init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        cells = Array(repeating: Cell(), count: self.width * self.height)
    }

    /// The cell at a position. Outside the canvas it is a space, and setting it has no effect.
    package subscript(x: Int, y: Int) -> Cell {
        get { contains(x, y) ? cells[y * width + x] : Cell() }
        set { if contains(x, y) { cells[y * width + x] = newValue } }
    }

    private func contains(_ x: Int, _ y: Int) -> Bool {
        0..<width ~= x && 0..<height ~= y
    }

    /// Writes text in row `y`, beginning at column `x`. Returns the column after the text.
    ///
    /// A character that is not one column wide on every terminal is replaced by `?`. Names of
    /// devices may contain such characters.
    @discardableResult
    package mutating func write(
        _ text: some StringProtocol, _ x: Int, _ y: Int, _ style: Style = .plain
    ) -> Int {
        var x = x
        for scalar in text.unicodeScalars {
            self[x, y] = Cell(character: Self.isNarrow(scalar) ? scalar : "?", style: style)
            x += 1
        }
        return x
    }

    /// Writes text in row `y`. Its last character is in the column before `end`.
    package mutating func write(
        _ text: some StringProtocol, endingAt end: Int, _ y: Int, _ style: Style = .plain
    ) {
        write(text, end - text.unicodeScalars.count, y, style)
    }

    /// Writes text in row `y`, beginning at column `x`. If the text is too long for the row, it is
    /// truncated and ends with `..`.
    package mutating func write(
        shortened text: String, _ x: Int, _ y: Int, _ style: Style = .plain
    ) {
        let (scalars, room) = (text.unicodeScalars, width - x)
        guard scalars.count > room else {
            write(text, x, y, style)
            return
        }
        let start = String(String.UnicodeScalarView(scalars.prefix(max(0, room - 2))))
        write(start + "..", x, y, style)
    }

    /// Fills a row with spaces of the given style.
    package mutating func fill(row y: Int, _ style: Style) {
        for x in 0..<width { self[x, y] = Cell(style: style) }
    }

    /// Copies another canvas to this one. (`x`, `y`) is where its upper left corner is placed.
    package mutating func place(_ other: Canvas, _ x: Int, _ y: Int) {
        hiddenRows = max(hiddenRows, other.hiddenRows)
        hiddenColumns = max(hiddenColumns, other.hiddenColumns)
        for row in 0..<other.height {
            for column in 0..<other.width {
                self[x + column, y + row] = other.cells[row * other.width + column]
            }
        }
    }

    /// Returns whether every terminal shows a character in one column: letters of European scripts,
    /// and the symbols used on the screen.
    private static func isNarrow(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x24F, 0x370...0x377, 0x384...0x482, 0x48A...0x52F:
            true
        case 0x2010...0x2027, 0x2030...0x205E: true
        case 0x2190...0x21FF, 0x2200...0x22FF, 0x2500...0x25FF, 0x2800...0x28FF: true
        default: false
        }
    }
}

/// A drawing of dots. Each cell has two by four dots, as in Braille characters.
struct Braille {
    private let width: Int
    private let height: Int
    private var masks: [UInt8]

    /// Creates an empty drawing. The size is in cells.
    init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        masks = Array(repeating: 0, count: self.width * self.height)
    }

    /// Sets a dot. Has no effect outside the drawing.
    mutating func set(_ x: Int, _ y: Int) {
        guard 0..<width * 2 ~= x, 0..<height * 4 ~= y else { return }
        let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
        masks[y / 4 * width + x / 2] |= bits[y % 4 * 2 + x % 2]
    }

    /// Draws a line from `a` to `b`, in dots.
    mutating func line(_ a: (x: Int, y: Int), _ b: (x: Int, y: Int)) {
        let steps = max(abs(b.x - a.x), abs(b.y - a.y))
        // Such a long line is nearly all outside the drawing and is omitted.
        guard steps <= 4 * (width * 2 + height * 4) else { return }
        for step in 0...steps {
            let fraction = steps == 0 ? 0 : Double(step) / Double(steps)
            set(
                a.x + Int((Double(b.x - a.x) * fraction).rounded()),
                a.y + Int((Double(b.y - a.y) * fraction).rounded()))
        }
    }

    /// Writes the cells that contain dots to a canvas.
    func draw(_ glyphs: Glyphs, on canvas: inout Canvas) {
        for (index, mask) in masks.enumerated() where mask != 0 {
            let braille = Unicode.Scalar(0x2800 + UInt32(mask)).map(String.init) ?? "*"
            let sign = glyphs.isASCII ? (mask.nonzeroBitCount > 2 ? "#" : "*") : braille
            canvas.write(sign, index % width, index / width, Style(.accent))
        }
    }
}

/// A horizontal strip of a compass card: the course is in the middle, with 90° to either side.
enum Compass {
    /// The number of degrees per column.
    private static let step = 7.5
    /// The width of the strip in columns, which covers slightly more than 180°.
    static let width = 25

    /// Returns the characters of the strip around a course in degrees: marks, with spaces between
    /// them. Returns only spaces if the course is not valid.
    private static func card(_ course: Double, _ glyphs: Glyphs) -> [Unicode.Scalar] {
        var card = Array(repeating: Unicode.Scalar(" "), count: width)
        guard course.isFinite, abs(course) < 1e6 else { return card }
        let middle = width / 2
        for index in 0..<24 {
            // Marks are 15° apart. Every third mark is a name.
            let turned = (Double(index) * 15 - course).truncatingRemainder(dividingBy: 360)
            let offset = turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
            let center = middle + Int(nearest: offset / step)
            guard abs(offset) <= 97.5 else { continue }
            let name = index % 3 == 0 ? Glyphs.wind(Double(index) * 15) : glyphs.ring
            // A name is centred on its mark.
            for (letter, scalar) in name.unicodeScalars.enumerated() {
                let column = center + letter - name.unicodeScalars.count / 2
                if card.indices.contains(column) { card[column] = scalar }
            }
        }
        return card
    }

    /// Draws the strip. The column at the course is highlighted.
    static func draw(
        _ course: Double, _ glyphs: Glyphs, _ x: Int, _ y: Int, _ style: Style,
        on canvas: inout Canvas
    ) {
        for (index, scalar) in card(course, glyphs).enumerated() {
            canvas.write(
                String(scalar), x + index, y,
                index == width / 2 ? style.reversed : scalar == " " ? .plain : style)
        }
    }
}

/// The drawing characters, in Unicode or ASCII.
package struct Glyphs: Sendable {
    /// Whether only ASCII may be used.
    let isASCII: Bool

    /// Creates a set of characters. `isASCII` restricts it to ASCII.
    package init(isASCII: Bool) { self.isASCII = isASCII }

    var rule: String { isASCII ? "-" : "─" }
    var used: String { isASCII ? "*" : "●" }
    var visible: String { isASCII ? "o" : "○" }
    var degree: String { isASCII ? "" : "°" }
    var plusMinus: String { isASCII ? "+-" : "±" }
    var separator: String { isASCII ? " - " : " · " }
    var ring: String { isASCII ? "." : "·" }
    var unknown: String { isASCII ? "-" : "–" }
    var usedBar: String { isASCII ? "#" : "█" }
    var visibleBar: String { isASCII ? "|" : "│" }
    var here: String { isASCII ? "@" : "◉" }
    var up: String { isASCII ? "up" : "↑" }
    var down: String { isASCII ? "down" : "↓" }

    /// Returns the character for the top of a bar whose last cell is filled to `eighths` of its
    /// height. The bar is thick if `isUsed` is `true`, otherwise thin.
    func end(ofBar eighths: Int, isUsed: Bool) -> String {
        if isASCII { return eighths >= 4 ? (isUsed ? "#" : "|") : " " }
        guard isUsed else { return eighths >= 4 ? "╷" : " " }
        let blocks = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        return blocks[min(8, max(0, eighths))]
    }

    /// Returns an arrow (or, in ASCII, letters) for the direction nearest to a course in degrees.
    /// There are eight directions.
    func arrow(_ course: Double) -> String {
        let arrows =
            isASCII
            ? ["N ", "NE", "E ", "SE", "S ", "SW", "W ", "NW"]
            : ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"]
        return arrows[Self.sector(course, of: 8)]
    }

    /// Returns the compass point, such as `NNE`, that is nearest to a course in degrees. There are
    /// sixteen points.
    static func wind(_ course: Double) -> String {
        let winds = [
            "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE",
            "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
        ]
        return winds[sector(course, of: 16)]
    }

    private static func sector(_ course: Double, of count: Int) -> Int {
        guard course.isFinite, abs(course) < 1e6 else { return 0 }
        let sector = Int((course / 360 * Double(count)).rounded()) % count
        return sector < 0 ? sector + count : sector
    }
}

/// The bands of signals, and the colours of constellations.
package enum Signal {
    /// Returns the colour of a constellation.
    static func style(_ constellation: Constellation) -> Style {
        switch constellation {
        case .gps: Style(.gps)
        case .sbas: Style(.sbas)
        case .galileo: Style(.galileo)
        case .beiDou: Style(.beiDou)
        case .qzss: Style(.qzss)
        case .glonass: Style(.glonass)
        case .navIC: Style(.navIC)
        }
    }

    /// Returns the band of a signal, such as `L1`, according to its NMEA 4.11 signal ID. Returns
    /// `#` and the ID if the band is unknown, and an empty string for the ID 0.
    package static func band(_ signal: SatelliteSignal) -> String {
        guard signal.signal != 0 else { return "" }
        let name: String? =
            switch (signal.id.constellation, signal.signal) {
            case (.gps, 1), (.sbas, 1), (.qzss, 1): "L1"
            case (.gps, 5), (.gps, 6), (.qzss, 5), (.qzss, 6): "L2C"
            case (.gps, 7), (.gps, 8), (.qzss, 7), (.qzss, 8), (.navIC, 1): "L5"
            case (.qzss, 4): "L1S"
            case (.glonass, 1): "G1"
            case (.glonass, 3): "G2"
            case (.galileo, 1): "E5a"
            case (.galileo, 2): "E5b"
            case (.galileo, 4), (.galileo, 5): "E6"
            case (.galileo, 6), (.galileo, 7): "E1"
            case (.beiDou, 1): "B1I"
            case (.beiDou, 3): "B1C"
            case (.beiDou, 5): "B2a"
            case (.beiDou, 8): "B3I"
            case (.beiDou, 11): "B2I"
            default: nil
            }
        return name ?? "#\(signal.signal)"
    }
}

/// The style of a cell: its role, which determines the colour, and its emphasis.
package struct Style: Hashable, Sendable {
    /// The role of a text. Each role has a colour.
    package enum Role: UInt8, CaseIterable, Sendable {
        case plain, good, fair, poor, accent
        case gps, glonass, galileo, beiDou, sbas, qzss, navIC
    }

    /// The role of the text, which determines its colour.
    package var role: Role
    /// Whether the text is bold.
    package var isBold = false
    /// Whether background and foreground are swapped. This is visible even without colours.
    package var isReversed = false
    /// Whether the text is dimmed because it is less important.
    package var isDim = false

    /// Creates a style without emphasis.
    package init(_ role: Role = .plain) { self.role = role }

    /// The terminal's default style.
    package static let plain = Style()
    /// The style of rules, labels and axes.
    static let dim = Style().dim
    /// The style of the most important text.
    static let bold = Style().bold
    /// The style of bars that extend over the full width.
    package static let bar = Style().reversed

    /// The same style, bold.
    var bold: Style { Self.with(self) { $0.isBold = true } }
    /// The same style with background and foreground swapped.
    package var reversed: Style { Self.with(self) { $0.isReversed = true } }
    /// The same style, dimmed.
    private var dim: Style { Self.with(self) { $0.isDim = true } }

    private static func with(_ style: Style, _ change: (inout Style) -> Void) -> Style {
        var style = style
        change(&style)
        return style
    }
}

/// Converts canvases to terminal output that updates only the changed cells.
package struct FrameWriter {
    private var shown: Canvas?

    /// Creates a writer for a screen with unknown contents.
    package init() {}

    /// Discards what is known about the contents of the screen, so that the next frame is written
    /// completely.
    package mutating func forget() { shown = nil }

    /// Returns the bytes that make the screen show a canvas; empty if it already does.
    package mutating func bytes(
        for canvas: Canvas, _ language: some TerminalLanguage
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var known = shown
        if known?.width != canvas.width || known?.height != canvas.height {
            bytes += language.style(.plain) + language.clear
            known = Canvas(width: canvas.width, height: canvas.height)
        }
        guard let known else { return [] }
        var style: Style?
        for y in 0..<canvas.height {
            var cursor: Int?
            for x in 0..<canvas.width where canvas[x, y] != known[x, y] {
                // Some terminals scroll after a character in the last cell, so it is never written.
                if x == canvas.width - 1, y == canvas.height - 1 { continue }
                let cell = canvas[x, y]
                if cursor != x { bytes += language.move(x: x, y: y) }
                if cell.style != style {
                    bytes += language.style(cell.style)
                    style = cell.style
                }
                bytes += Array(String(cell.character).utf8)
                cursor = x + 1
            }
        }
        if style != nil, style != .plain { bytes += language.style(.plain) }
        shown = canvas
        return bytes
    }
}

extension Style.Role {
    /// Returns the colour number on a terminal with `count` colours; `nil` for the terminal's
    /// default colour, and if there are fewer than eight colours.
    ///
    /// The background may be light or dark. With 256 colours, all have a contrast of at least 3.5
    /// to both black and white.
    package func colour(of count: Int) -> Int? {
        guard count >= 8 else { return nil }
        let isRich = count >= 256
        return switch self {
        case .plain: nil
        case .good: isRich ? 28 : 2
        case .fair: isRich ? 130 : 3
        case .poor: isRich ? 160 : 1
        case .accent: isRich ? 31 : 6
        case .gps: isRich ? 28 : 2
        case .glonass: isRich ? 166 : 1
        case .galileo: isRich ? 27 : 4
        case .beiDou: isRich ? 100 : 3
        case .sbas: isRich ? 97 : 5
        case .qzss: isRich ? 30 : 6
        case .navIC: isRich ? 162 : 5
        }
    }

    /// The grey of labels and axes on a terminal with 256 colours, midway between black and white.
    package static let dimColour = 243
}

/// The control sequences of a terminal.
package protocol TerminalLanguage {
    /// Returns the bytes that move the cursor to a cell.
    func move(x: Int, y: Int) -> [UInt8]
    /// Returns the bytes that set a style, regardless of the previous style.
    func style(_ style: Style) -> [UInt8]
    /// The bytes that clear the screen.
    var clear: [UInt8] { get }
}
