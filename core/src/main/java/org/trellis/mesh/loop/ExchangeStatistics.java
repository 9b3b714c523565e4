package org.trellis.mesh.loop;

/**
 * Exchanges between ranks of a chain of loops that runs with halos as deep as it needs.
 *
 * @param rings     rings of other ranks' elements that its deepest loop runs
 * @param exchanges times that this rank has exchanged values with others in all runs of the chain
 * @param apart     times that it would have done so loop by loop, beginning each run with what was up to date then
 */
public record ExchangeStatistics(int rings, long exchanges, long apart) {
    /**
     * Returns how many exchanges the chain has saved.
     *
     * @return below zero if loop by loop there would have been fewer
     */
    public long saved() {
        return apart - exchanges;
    }
}
