// SPDX-License-Identifier: MIT

/// Converts pieces of recordings on other processor cores before their turn, to the very bytes that one core gives.
///
/// A sentence depends on those before it: the date, the lists of satellites, where the cycle
/// ends. So the first piece is converted from the state that the caller's conversion is in, and each one behind it from
/// a guess: that state, and the bytes right before the piece. At its turn the guess is compared with the state behind
/// the piece before it.
///
/// Where they differ, the pieces under way are given up, and the caller converts as on one core for a pause. Each wrong
/// guess makes the pause four times as long, each right one half as long. So a recording of many receivers takes as long
/// as on one core. How a recording begins is known: it ends the pause.
package struct ParallelConversion: ~Copyable {
    private typealias Place = ConversionPiece.Place

    /// The piece at a place, of `count` bytes or the rest of the recording; `nil` where it cannot be converted in
    /// pieces, or ends.
    package typealias Cutter = (_ place: ConversionPiece.Place, _ count: Int) -> ConversionPiece?

    private struct Work {
        let piece: ConversionPiece
        /// The guess that it begins from; `nil` where the state is known.
        let guess: Task<ConversionState, Never>?
        let task: Task<ConvertedPiece?, Never>
    }

    private let jobs: Int
    private let pieceSize: Int
    private let cut: Cutter
    /// The pieces under way, in order.
    private var work: [Work] = []
    /// The piece that was returned last.
    private var current: ConvertedPiece?
    /// Those whose memory can be used again.
    private var spare: [ConvertedPiece] = []
    /// Where the caller has converted enough behind a wrong guess.
    private var pauseEnd = Place(0, 0)
    /// How many bytes the caller converts behind the next wrong guess.
    private var pause: Int
    private let leastPause: Int
    /// How many bytes before a piece its beginning is guessed from.
    private let warmUp: Int
    /// How many guesses were wrong.
    package private(set) var missCount = 0

    /// Whether a format can be written in pieces.
    package static func supports(_ format: any OutputFormat.Type) -> Bool {
        format is any Equatable.Type
    }

    /// Creates one on `jobs` cores, with pieces of `pieceSize` bytes, guessed from `warmUp` bytes.
    package init(jobs: Int, pieceSize: Int, warmUp: Int, cut: @escaping Cutter) {
        self.jobs = jobs
        self.pieceSize = pieceSize
        self.warmUp = warmUp
        self.cut = cut
        leastPause = pieceSize / 8
        pause = leastPause
    }

    deinit { for work in work { work.task.cancel() } }

    /// The piece at a place, where it has been converted from the state that the conversion is in; `nil` where the caller
    /// converts the next bytes.
    ///
    /// The piece is valid until the next call. Throws `CancellationError` where the task is cancelled.
    package mutating func piece(
        at place: ConversionPiece.Place, after conversion: borrowing Conversion
    ) async throws -> ConvertedPiece? {
        try Task.checkCancellation()
        if let piece = current.take() { spare.append(piece) }
        guard place >= pauseEnd else { return nil }
        start(at: place, after: conversion)
        guard let first = work.first, first.piece.place == place else { return nil }
        if let guess = first.guess {
            guard await guess.value.conversion.hasSameState(with: conversion) else {
                giveUp(at: place)
                return nil
            }
            if !first.piece.isFirst { pause = max(leastPause, pause / 2) }
        }
        work.removeFirst()
        current = await first.task.value
        if current == nil { giveUp(at: place) }
        return current
    }

    /// Starts as many pieces as there is room for.
    private mutating func start(at place: Place, after conversion: borrowing Conversion) {
        var next = work.last?.piece.end ?? place
        var byteCount = work.reduce(0) { $0 + $1.piece.count }
        let (state, warmUp) = (ConversionState(conversion.copy()), warmUp)
        // Short ones are over before the next could be begun.
        while byteCount <= jobs * pieceSize, work.count < 8 * jobs, let piece = cut(next, pieceSize)
        {
            let guess =
                work.isEmpty
                ? nil
                : Task(executorPreference: globalConcurrentExecutor) {
                    piece.guessedStart(from: state, warmUp: warmUp)
                }
            let converted = spare.popLast() ?? ConvertedPiece()
            let task = Task(executorPreference: globalConcurrentExecutor) {
                converted.convert(piece, from: await guess?.value ?? state) ? converted : nil
            }
            work.append(Work(piece: piece, guess: guess, task: task))
            byteCount += piece.count
            next = piece.end
        }
    }

    /// Gives up what is under way behind a wrong guess, or a piece that cannot be read.
    private mutating func giveUp(at place: Place) {
        missCount += 1
        for work in work { work.task.cancel() }
        work.removeAll()
        pauseEnd = Place(place.recording, place.offset + pause)
        // Longer than any recording is long enough.
        pause = min(4 * pause, 1 << 40)
    }
}
