// SPDX-License-Identifier: MIT

/// Converts pieces of recordings ahead on other processor cores, with output identical to that of one core.
///
/// The conversion of a sentence depends on earlier ones: the date, the lists of satellites, the end of the
/// cycle. So a piece is converted from a guessed state, derived from the last known state and the bytes right
/// before the piece. When the piece is due, the guess is compared with the state after the previous piece; if
/// they differ, the caller converts the bytes itself.
///
/// At first, and after a wrong guess, the caller converts a `pause` of bytes itself; at its end a guess is only
/// compared. Each wrong guess quadruples the pause, each right one halves it; at the minimum, pieces are
/// converted from guesses again. So a recording of many receivers takes no longer than on one core. The state
/// at the beginning of a recording is always known.
package struct ParallelConversion: ~Copyable {
    private typealias Place = ConversionPiece.Place

    /// Returns the piece at a place, of `count` bytes or the rest of the recording; `nil` at the end, or if the
    /// recording cannot be split.
    package typealias Cutter = (_ place: ConversionPiece.Place, _ count: Int) -> ConversionPiece?

    private struct Work {
        let piece: ConversionPiece
        /// The guessed state at its beginning; `nil` if the state is known.
        let guess: Task<ConversionState, Never>?
        /// The conversion; `nil` if the guess is only compared.
        let task: Task<ConvertedPiece?, Never>?
    }

    private let jobs: Int
    private let pieceSize: Int
    private let cut: Cutter
    /// The pieces in progress, in order.
    private var work: [Work] = []
    /// The piece that was returned last.
    private var current: ConvertedPiece?
    /// Results whose memory can be reused.
    private var spare: [ConvertedPiece] = []
    /// Whether pieces are converted from guesses.
    private var isTrusted = false
    private let leastPause: Int
    private var pause: Int
    /// The number of bytes before a piece from which the state at its beginning is guessed.
    private var warmUp: Int
    private let mostWarmUp: Int
    /// The number of wrong guesses.
    package private(set) var missCount = 0

    /// Whether the output of a format can be written in pieces.
    package static func supports(_ format: any OutputFormat.Type) -> Bool {
        format is any Equatable.Type
    }

    /// Creates a conversion with `jobs` tasks and pieces of `pieceSize` bytes. Guesses use `warmUp` bytes, later
    /// up to 8 times as many.
    package init(jobs: Int, pieceSize: Int, warmUp: Int, cut: @escaping Cutter) {
        self.jobs = jobs
        self.pieceSize = pieceSize
        self.warmUp = warmUp
        self.cut = cut
        mostWarmUp = 8 * warmUp
        leastPause = pieceSize / 8
        pause = leastPause
    }

    deinit { for work in work { work.task?.cancel() } }

    /// Returns the result for the piece at a place if it was converted from the conversion's current state;
    /// otherwise `nil`: the caller converts the next bytes.
    ///
    /// The result is valid until the next call. Throws `CancellationError` if the task is cancelled.
    package mutating func piece(
        at place: ConversionPiece.Place, after conversion: borrowing Conversion
    ) async throws -> ConvertedPiece? {
        try Task.checkCancellation()
        if let piece = current.take() { spare.append(piece) }
        // The caller may have converted bytes beyond the place of a guess.
        if let first = work.first, first.piece.place < place { cancel() }
        if work.isEmpty { start(at: place, after: conversion) }
        guard let oldest = work.first, oldest.piece.place == place else { return nil }
        if let guess = oldest.guess {
            guard await guess.value.conversion.hasSameState(with: conversion) else {
                noteMiss()
                return nil
            }
            if !oldest.piece.isFirst { noteHit() }
        }
        if oldest.task == nil { work.removeFirst() }
        start(at: place, after: conversion)
        guard let first = work.first, first.piece.place == place, let task = first.task else {
            return nil
        }
        work.removeFirst()
        current = await task.value
        if current == nil { noteMiss() }
        return current
    }

    /// Starts as many pieces as there is room for, or only the guess at the end of a pause.
    private mutating func start(at place: Place, after conversion: borrowing Conversion) {
        var byteCount = work.reduce(0) { $0 + $1.piece.count }
        guard byteCount <= jobs * pieceSize else { return }
        let (state, warmUp) = (ConversionState(conversion.copy()), warmUp)
        var next = work.last?.piece.end ?? place
        // Up to 8 per core, since short pieces end before the next could begin.
        while byteCount <= jobs * pieceSize, work.count < 8 * jobs, let piece = cut(next, pieceSize)
        {
            // A piece with a known beginning is worth a task only if another one follows.
            let guessed = work.isEmpty ? cut(piece.end, pieceSize) : piece
            guard let guessed, isTrusted || guessed.isFirst else { break }
            let guess = work.isEmpty ? nil : Self.guess(piece, from: state, warmUp)
            let converted = spare.popLast() ?? ConvertedPiece()
            let task = Task(executorPreference: globalConcurrentExecutor) {
                converted.convert(piece, from: await guess?.value ?? state) ? converted : nil
            }
            work.append(Work(piece: piece, guess: guess, task: task))
            byteCount += piece.count
            next = piece.end
        }
        if work.isEmpty, let piece = cut(Place(place.recording, place.offset + pause), 1) {
            let guess = Self.guess(piece, from: state, warmUp)
            work.append(Work(piece: piece, guess: guess, task: nil))
        }
    }

    private static func guess(
        _ piece: ConversionPiece, from state: ConversionState, _ warmUp: Int
    ) -> Task<ConversionState, Never> {
        Task(executorPreference: globalConcurrentExecutor) {
            piece.guessedStart(from: state, warmUp: warmUp)
        }
    }

    private mutating func noteHit() {
        pause = max(leastPause, pause / 2)
        isTrusted = isTrusted || pause == leastPause
    }

    private mutating func noteMiss() {
        missCount += 1
        isTrusted = false
        // No recording is longer than this.
        pause = min(4 * pause, 1 << 40)
        warmUp = min(4 * warmUp, mostWarmUp)
        cancel()
    }

    /// Cancels the work in progress.
    private mutating func cancel() {
        for work in work {
            work.guess?.cancel()
            work.task?.cancel()
        }
        work.removeAll()
    }
}
