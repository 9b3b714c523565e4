package org.trellis.solve.multigrid;

/**
 * The two steps of flexible conjugate gradients by which a K-cycle solves a level (Y. Notay, P. S. Vassilevski,
 * "Recursive Krylov-based multigrid cycles", Numer. Linear Algebra Appl. 15, 2008, algorithm 3.2; the second step is
 * always made, so that coefficients can stay where the vectors are). With the corrections c and d of the two steps, v =
 * A c, w = A d, r̃ what c leaves of the residual r, and α = cᵀr, ρ = cᵀv, β = dᵀw, γ = dᵀv, α' = dᵀr̃:
 * {@code x = (α/ρ − γα'/(ρρ')) c + α'/ρ' d} with {@code ρ' = β − γ²/ρ}. The level's right-hand side b is r, then r̃;
 * its iterate x is c, then d, then the result. The five sums are over all of the level, whichever rank has its
 * elements.
 */
public final class KrylovSteps {
    /** How many sums there are. */
    public static final int SUMS = 5;
    /** The index of α among the sums. */
    public static final int ALPHA = 0;
    /** The index of ρ. */
    public static final int RHO = 1;
    /** The index of β. */
    public static final int BETA = 2;
    /** The index of γ. */
    public static final int GAMMA = 3;
    /** The index of α'. */
    public static final int ALPHA_2 = 4;

    private KrylovSteps() {}

    /** A product with the level's matrix, and the dot product of both sides. */
    public enum Product {
        /** v = A c and ρ = cᵀv. */
        FIRST(RHO),
        /** w = A x and β = xᵀw. */
        SECOND(BETA);

        private final int sum;

        Product(int sum) {
            this.sum = sum;
        }

        /**
         * Returns where the dot product goes.
         *
         * @return an index of the sums
         */
        public int sum() {
            return sum;
        }
    }

    /** An update of vectors and sums. */
    public enum Update {
        /** c = x and α = xᵀb. */
        KEEP,
        /** b −= (α/ρ) v, which needs the first two sums. */
        TAKE_OFF,
        /** γ = xᵀv and α' = xᵀb. */
        COMPARE,
        /** x becomes the result, which needs the last three sums, too. */
        JOIN
    }

    /**
     * Returns the length of the first step, for {@link Update#TAKE_OFF}.
     *
     * @param sums of which the first two are known
     * @return α/ρ, 0 unless ρ is positive
     */
    public static double taken(double[] sums) {
        return CycleUpdates.length(sums[ALPHA], sums[RHO]);
    }

    /**
     * Returns the factor of c in the result.
     *
     * @param sums all of them
     * @return what {@link Update#JOIN} multiplies c by
     */
    public static double ofFirst(double[] sums) {
        return CycleUpdates.ofFirst(sums[ALPHA], sums[RHO], sums[GAMMA], ofSecond(sums));
    }

    /**
     * Returns the factor of d in the result.
     *
     * @param sums all of them
     * @return what {@link Update#JOIN} multiplies x by; 0 where d is nearly a multiple of c
     */
    public static double ofSecond(double[] sums) {
        return CycleUpdates.ofSecond(sums[RHO], sums[GAMMA], sums[BETA], sums[ALPHA_2]);
    }
}
