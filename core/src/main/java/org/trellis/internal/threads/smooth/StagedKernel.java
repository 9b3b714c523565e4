package org.trellis.internal.threads.smooth;

import org.trellis.memory.HostVector;

/** The loop of a sweep over a range of stored rows, one after the other. */
interface StagedKernel {
    /**
     * What a sweep does to each row: {@code xᵢ = keep xᵢ + scale fᵢ (bᵢ − Σ aᵢⱼ xⱼ)}.
     *
     * @param keep  with 0 the old x is not read
     * @param scale the factor of the change
     * @param b     the right-hand side, or null for zeros
     * @param x     overwritten
     */
    record Relaxation(double keep, double scale, HostVector b, HostVector x) {}

    /**
     * Updates rows.
     *
     * @param from       the first stored row
     * @param to         the one after the last
     * @param backward   whether the last comes first
     * @param relaxation what is done
     */
    void run(int from, int to, boolean backward, Relaxation relaxation);
}
