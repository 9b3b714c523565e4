package org.trellis.solve.multigrid;

import org.trellis.solve.smooth.SweepDirection;

/**
 * What a cycle asks of its levels. Level 0 is the finest; each has a right-hand side b, an iterate x and a residual r,
 * and those that K-cycles solve take part in {@link KrylovSteps}. {@link MultigridCycle} calls the operations in the
 * order of a cycle. Code that implements them carries them out at once, or writes them down: bound steps on one rank,
 * vectors with rings of other ranks' elements over several, where a rank may have no rows of a level and takes part
 * all the same.
 */
public interface CycleOperations {
    /**
     * Returns the level that is solved, below which the cycle does not go.
     *
     * @return its number, at least 0
     */
    int bottom();

    /**
     * Says whether {@link #solve} leaves nothing to a second visit, as the solution of the coarsest system does and a
     * cycle on further levels does not.
     *
     * @return true for a solution
     */
    boolean solvesOnce();

    /**
     * Solves on the bottom level, or improves its iterate.
     *
     * @param fromZero whether the old iterate is not read
     */
    void solve(boolean fromZero);

    /**
     * Computes {@code x = M⁻¹ b}, the first sweep from zero.
     *
     * @param level the level
     */
    void sweepFromZero(int level);

    /**
     * Improves the iterate by a sweep.
     *
     * @param level     the level
     * @param direction in which order unknowns are visited by smoothers with an order; symmetric ones have no choice
     */
    void sweep(int level, SweepDirection direction);

    /**
     * Computes {@code r = b − A x}.
     *
     * @param level the level
     */
    void residual(int level);

    /**
     * Computes the right-hand side of the next level.
     *
     * @param level    the level, not the bottom
     * @param residual whether {@code R r} is computed, or {@code R b} where the iterate is zero
     */
    void restrict(int level, boolean residual);

    /**
     * Brings the iterate of the next level to this one, {@code x += P x'} or {@code x = P x'}.
     *
     * @param level the level, not the bottom
     * @param add   whether the old iterate is added to
     */
    void prolong(int level, boolean add);

    /**
     * Multiplies by the matrix of the level, with a dot product.
     *
     * @param level   a level that a K-cycle solves
     * @param product what is multiplied, and where results go
     */
    void multiply(int level, KrylovSteps.Product product);

    /**
     * Updates vectors of a K-cycle.
     *
     * @param level  a level that a K-cycle solves
     * @param update what is done
     */
    void update(int level, KrylovSteps.Update update);

    /**
     * Says that a visit of a level above the bottom is over. Does nothing unless overridden.
     *
     * @param level    the level
     * @param fromZero whether it began from zero
     */
    default void leave(int level, boolean fromZero) {}
}
