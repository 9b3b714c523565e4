package org.trellis.adapt;

/**
 * How long an adaptation was in a {@link AdaptPhase}.
 *
 * @param seconds wall time
 * @param shared  that part of it in which work was cut into pieces for several threads; with one thread, that in which
 *                it would have been
 * @param busy    time that all threads together spent on these pieces: at most {@code shared} times their number
 */
public record PhaseTime(double seconds, double shared, double busy) {}
