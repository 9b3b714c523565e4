package org.trellis.solve.multigrid;

import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalars;

/**
 * Vectors and coefficients of a level that a K-cycle solves by two steps of flexible conjugate gradients (Y. Notay, P.
 * S. Vassilevski, "Recursive Krylov-based multigrid cycles", Numer. Linear Algebra Appl. 15, 2008, algorithm 3.2; the
 * second step is always made, so that coefficients can stay where the vectors are). With the corrections c and d of the
 * two steps, v = A c, w = A d, r̃ what c leaves of the residual r, and ρ = cᵀv, α = cᵀr, γ = dᵀv, β = dᵀw, α' = dᵀr̃:
 * {@code x = (α/ρ − γα'/(ρρ')) c + α'/ρ' d} with {@code ρ' = β − γ²/ρ}. The level's right-hand side b is r, then r̃; its
 * iterate x is c, then d, then the result. Coefficients are sums over all of the level, whoever has its elements: α and
 * ρ before {@link Update#TAKE_OFF}, the others before {@link Update#JOIN}.
 *
 * @param mesh    the mesh of the vectors
 * @param rows    the rows of the level
 * @param b       the right-hand side
 * @param x       the iterate
 * @param c       the first correction
 * @param v       its product
 * @param w       the product of the second correction
 * @param scalars {@value #SCALARS} coefficients in the order in which they are found
 */
public record KrylovVectors(Mesh mesh, MeshSet rows, Dat b, Dat x, Dat c, Dat v, Dat w, Scalars scalars) {
    /** How many coefficients there are. */
    public static final int SCALARS = 5;
    private static final int ALPHA = 0;
    private static final int RHO = 1;
    private static final int BETA = 2;
    private static final int GAMMA = 3;
    private static final int ALPHA_2 = 4;

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
         * @return an index of the coefficients
         */
        public int sum() {
            return sum;
        }
    }

    /** An update of vectors and coefficients. */
    public enum Update {
        /** c = x and α = xᵀb. */
        KEEP(0, 0),
        /** b −= (α/ρ) v, in need of α and ρ. */
        TAKE_OFF(ALPHA, BETA),
        /** γ = xᵀv and α' = xᵀb. */
        COMPARE(0, 0),
        /** x becomes the result, in need of β, γ and α' and those of before. */
        JOIN(BETA, SCALARS);

        private final int first;
        private final int end;

        Update(int first, int end) {
            this.first = first;
            this.end = end;
        }

        /**
         * Returns the first of the coefficients that this needs and updates before it did not.
         *
         * @return its index
         */
        public int first() {
            return first;
        }

        /**
         * Returns how many these are.
         *
         * @return at least 0
         */
        public int needed() {
            return end - first;
        }
    }

    /**
     * Returns what a product multiplies.
     *
     * @param product the product
     * @return a vector of the level
     */
    public Dat from(Product product) {
        return product == Product.FIRST ? c : x;
    }

    /**
     * Returns where the result of a product goes.
     *
     * @param product the product
     * @return a vector of the level
     */
    public Dat to(Product product) {
        return product == Product.FIRST ? v : w;
    }

    /**
     * Declares the loop of an update.
     *
     * @param update the update
     * @return a loop over the rows
     */
    public ParallelLoop loop(Update update) {
        return switch (update) {
            case KEEP -> mesh.loop(CycleUpdatesLoops.FIRST, rows, x, b, c, scalars.at(ALPHA));
            case TAKE_OFF -> mesh.loop(CycleUpdatesLoops.LEFT, rows, scalars.at(ALPHA), scalars.at(RHO), v, b);
            case COMPARE -> mesh.loop(CycleUpdatesLoops.SECOND, rows, x, v, b, scalars.at(GAMMA),
                    scalars.at(ALPHA_2));
            case JOIN -> mesh.loop(CycleUpdatesLoops.BOTH, rows, scalars.at(ALPHA), scalars.at(RHO),
                    scalars.at(GAMMA), scalars.at(BETA), scalars.at(ALPHA_2), c, x);
        };
    }
}
