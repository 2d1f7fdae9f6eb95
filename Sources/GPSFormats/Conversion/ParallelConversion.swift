// SPDX-License-Identifier: MIT

/// Converts pieces of recordings on other processor cores before their turn, to the very bytes that one core gives.
///
/// A sentence depends on those before it: the date, the lists of satellites, where the cycle
/// ends. So a piece is converted from a guess: the last state that is known for certain, and what comes
/// right before the piece. At its turn the guess is compared with the state behind the piece before it; where they
/// differ, the caller continues as on one core.
///
/// At first, and behind a wrong guess, the caller converts as on one core for a `pause`, at whose end a guess is only
/// compared with the state. Each wrong guess makes the pause four times as long, each right one half as long; at its least
/// pieces are converted from guesses again. So a recording of many receivers takes as long as on one core. How a
/// recording begins is known.
package struct ParallelConversion: ~Copyable {
    private typealias Place = ConversionPiece.Place

    /// The piece at a place, of `count` bytes or the rest of the recording; `nil` if it cannot be converted in
    /// pieces, or ends.
    package typealias Cutter = (_ place: ConversionPiece.Place, _ count: Int) -> ConversionPiece?

    private struct Work {
        let piece: ConversionPiece
        /// The guess that it begins from; `nil` if the state is known.
        let guess: Task<ConversionState, Never>?
        /// `nil` if the guess is only compared.
        let task: Task<ConvertedPiece?, Never>?
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
    /// Whether pieces are converted from guesses.
    private var isTrusted = false
    private let leastPause: Int
    private var pause: Int
    /// The number of bytes before a piece from which its first state is guessed.
    private var warmUp: Int
    private let mostWarmUp: Int
    /// The number of wrong guesses.
    package private(set) var missCount = 0

    /// Whether a format can be written in pieces.
    package static func supports(_ format: any OutputFormat.Type) -> Bool {
        format is any Equatable.Type
    }

    /// Creates one on `jobs` cores, with pieces of `pieceSize` bytes; guesses from `warmUp` bytes, or up to 8 times as many.
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

    /// The piece at a place, where it has been converted from the state that the conversion is in; `nil` if the caller
    /// converts the next bytes.
    ///
    /// The piece is valid until the next call. Throws `CancellationError` if the task is cancelled.
    package mutating func piece(
        at place: ConversionPiece.Place, after conversion: borrowing Conversion
    ) async throws -> ConvertedPiece? {
        try Task.checkCancellation()
        if let piece = current.take() { spare.append(piece) }
        // The caller's bytes may end behind the place of a guess.
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

    /// Starts as many pieces as there is room for; where none can be, the guess at the end of a pause.
    private mutating func start(at place: Place, after conversion: borrowing Conversion) {
        var byteCount = work.reduce(0) { $0 + $1.piece.count }
        guard byteCount <= jobs * pieceSize else { return }
        let (state, warmUp) = (ConversionState(conversion.copy()), warmUp)
        var next = work.last?.piece.end ?? place
        // Short ones are over before the next could be begun.
        while byteCount <= jobs * pieceSize, work.count < 8 * jobs, let piece = cut(next, pieceSize)
        {
            // One whose beginning is known is only worth it with another one beside it.
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
        // Longer than any recording is long enough.
        pause = min(4 * pause, 1 << 40)
        warmUp = min(4 * warmUp, mostWarmUp)
        cancel()
    }

    /// Gives up what is under way.
    private mutating func cancel() {
        for work in work {
            work.guess?.cancel()
            work.task?.cancel()
        }
        work.removeAll()
    }
}
