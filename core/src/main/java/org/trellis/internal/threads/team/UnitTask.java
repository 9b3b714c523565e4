package org.trellis.internal.threads.team;

/** Work cut into numbered units that may run in any order and on any thread. */
@FunctionalInterface
public interface UnitTask {
    /**
     * Does one unit.
     *
     * @param unit its number
     */
    void run(int unit);
}
