package org.trellis.fem;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.kernel.LoopKernel;

/**
 * What a system of equations comes from: the integrals that make its matrix. Immutable.
 *
 * <ul>
 * <li>{@link #diffusion}: ∫ κ ∇u·∇v, of −∇·(κ∇u), to which {@link #plusReaction} adds ∫ c u v
 * <li>{@link #mass}: ∫ c u v alone
 * <li>{@link #elasticity}: small deformations of an isotropic body
 * <li>{@link #ofPoints}: any form of first derivatives, by its matrix at each quadrature point
 * <li>{@link #ofElements}: whatever a kernel of the user's computes for an element
 * </ul>
 */
public final class BilinearForm {
    private static final double ROUNDING = 1e-14;

    private final int fields;
    private final Coefficient diffusion;
    private final Coefficient reaction;
    private final Coefficient matrix;
    private final LoopKernel kernel;

    private BilinearForm(int fields, Coefficient diffusion, Coefficient reaction, Coefficient matrix,
            LoopKernel kernel) {
        this.fields = fields;
        this.diffusion = diffusion;
        this.reaction = reaction;
        this.matrix = matrix;
        this.kernel = kernel;
    }

    /**
     * Makes the form of diffusion.
     *
     * @param kappa κ, 1 component, or the upper triangle of a symmetric tensor row by row: 3 in the plane, 6 in space;
     *              positive, or positive definite
     * @return the form
     */
    public static BilinearForm diffusion(Coefficient kappa) {
        return new BilinearForm(1, Objects.requireNonNull(kappa), null, null, null);
    }

    /**
     * Makes the form of a mass matrix.
     *
     * @param density c, 1 component
     * @return the form
     */
    public static BilinearForm mass(Coefficient density) {
        return new BilinearForm(1, null, Objects.requireNonNull(density), null, null);
    }

    /**
     * Adds a reaction.
     *
     * @param c its coefficient, 1 component
     * @return a form of both
     * @throws IllegalStateException if this is no form of diffusion
     */
    public BilinearForm plusReaction(Coefficient c) {
        if (diffusion == null) {
            throw new IllegalStateException("a reaction added to a form without diffusion, expected one of diffusion");
        }
        return new BilinearForm(1, diffusion, Objects.requireNonNull(c), null, null);
    }

    /**
     * Makes the form of linear elasticity, ∫ λ (∇·u)(∇·v) + 2μ ε(u):ε(v), in space or in plane strain. Fields are the
     * components of the displacement.
     *
     * @param dimension 2 or 3
     * @param young     Young's modulus, positive
     * @param poisson   Poisson's ratio, more than -1 and less than 1/2
     * @return the form
     * @throws IllegalArgumentException if a number is out of range
     */
    public static BilinearForm elasticity(int dimension, double young, double poisson) {
        if (!(young > 0) || !(poisson > -1 && poisson < 0.5)) {
            throw new IllegalArgumentException("Young's modulus is " + young + " and Poisson's ratio " + poisson
                    + ", expected a positive modulus and a ratio between -1 and 1/2");
        }
        double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
        double mu = young / (2 * (1 + poisson));
        int slots = dimension * (dimension + 1);
        double[] m = new double[slots * slots];
        for (int a = 0; a < dimension; a++) {
            for (int b = 0; b < dimension; b++) {
                m[slot(a, a, dimension) * slots + slot(b, b, dimension)] += lambda;
                m[slot(a, b, dimension) * slots + slot(a, b, dimension)] += mu;
                m[slot(a, b, dimension) * slots + slot(b, a, dimension)] += mu;
            }
        }
        return ofPoints(dimension, Coefficient.constant(m));
    }

    private static int slot(int field, int direction, int dimension) {
        return field * (dimension + 1) + 1 + direction;
    }

    /**
     * Makes a form of first derivatives: ∫ (v, ∇v)ᵀ M (u, ∇u), for several fields one after the other. Need not be
     * symmetric: convection β·∇u v has β in the row of v.
     *
     * @param fields components of the unknown function
     * @param matrix M, whose rows and columns are for each field its value and its derivatives by the coordinates
     * @return the form
     * @throws IllegalArgumentException if there is less than one field
     */
    public static BilinearForm ofPoints(int fields, Coefficient matrix) {
        return new BilinearForm(Checks.positive("fields", fields), null, null, Objects.requireNonNull(matrix), null);
    }

    /**
     * Makes a form of a kernel that computes element matrices.
     *
     * @param fields components of the unknown function
     * @param kernel takes the points of the map ({@code @Read}, a row for each) and adds to the entries of the element
     *               matrix, row by row ({@code @Increment}, a row for each); unknowns are numbered node by node
     * @return the form, for storages of a global matrix
     * @throws IllegalArgumentException if there is less than one field
     */
    public static BilinearForm ofElements(int fields, LoopKernel kernel) {
        return new BilinearForm(Checks.positive("fields", fields), null, null, null, Objects.requireNonNull(kernel));
    }

    /**
     * Returns the components of the unknown function.
     *
     * @return at least 1
     */
    public int fields() {
        return fields;
    }

    /**
     * Returns the form on some of the cells of a mesh: coefficients with a value for each cell keep those of these.
     *
     * @param some which cells, in the order of the mesh that has them
     * @return the form for that mesh
     * @throws IndexOutOfBoundsException if a coefficient has no value for a cell
     */
    public BilinearForm onCells(int... some) {
        return new BilinearForm(fields, Coefficient.onCells(diffusion, some), Coefficient.onCells(reaction, some),
                Coefficient.onCells(matrix, some), kernel);
    }

    /**
     * Returns how many numbers the integrand has at a quadrature point, once the map has been taken into account.
     *
     * @param dimension of the mesh
     * @return a symmetric tensor, one more for a reaction, or a matrix over values and derivatives; 0 for a form by a
     *         kernel of element matrices
     */
    public int pointSize(int dimension) {
        if (kernel != null) {
            return 0;
        }
        int slots = fields * (dimension + 1);
        return matrix != null
                ? slots * slots
                : (diffusion == null ? 0 : dimension * (dimension + 1) / 2) + (reaction == null ? 0 : 1);
    }

    Coefficient diffusion() {
        return diffusion;
    }

    Coefficient reaction() {
        return reaction;
    }

    Coefficient matrix() {
        return matrix;
    }

    LoopKernel kernel() {
        return kernel;
    }

    /** Says whether rigid body motions are in the kernel of the form, which knows a constant integrand only. */
    boolean hasRigidMotions(int dimension) {
        double[] m = matrix == null ? null : matrix.constant();
        int slots = dimension * (dimension + 1);
        if (m == null || fields != dimension || m.length != slots * slots) {
            return false;
        }
        double most = 0;
        for (double entry : m) {
            most = Math.max(most, Math.abs(entry));
        }
        boolean none = true;
        for (int row = 0; row < slots; row++) {
            for (int a = 0; a < dimension; a++) {
                none &= m[row * slots + a * (dimension + 1)] == 0;
                for (int b = 0; b < a; b++) {
                    double rotation = m[row * slots + slot(a, b, dimension)] - m[row * slots + slot(b, a, dimension)];
                    none &= Math.abs(rotation) <= ROUNDING * most;
                }
            }
        }
        return none;
    }

    /** Says whether constants are in the kernel of the form, as far as is known. */
    boolean needsBoundary() {
        return diffusion != null && reaction == null;
    }
}
