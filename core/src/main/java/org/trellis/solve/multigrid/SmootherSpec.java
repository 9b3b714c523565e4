package org.trellis.solve.multigrid;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.solve.smooth.PartSmoothers;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SpectralRadius;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;

/**
 * Which smoother levels have: a name and options of {@link Preconditioners}, such as {@code chebyshev,degree=2}. Where
 * it needs the largest eigenvalue of D⁻¹A, it is estimated on each level: Jacobi's method is damped by 4/3 over it
 * unless {@code omega} is given, and Chebyshev polynomials end at 1.1 times it unless {@code lambda-max} is. Blocks are
 * the nodes of each level unless {@code block-size} or {@code block-sizes} is given. Names of {@link PartSmoothers} are
 * for levels that reduction makes.
 *
 * @param name    the name
 * @param options its options
 */
public record SmootherSpec(String name, Map<String, String> options) {
    private static final String BLOCK_SIZE = "block-size";
    private static final double DAMPING = 4.0 / 3;
    private static final double MOST_DAMPING = 1.999;
    private static final double SAFETY = 1.1;

    /**
     * Copies the options and checks their names.
     *
     * @throws IllegalArgumentException if the name or an option is unknown; says what there is
     */
    public SmootherSpec {
        options = Map.copyOf(options);
        if (name.equals("none")) {
            throw new IllegalArgumentException("smoother 'none' of multigrid, expected one of " + names());
        }
        List<String> known = optionsOf(name);
        for (String option : options.keySet()) {
            if (!known.contains(option)) {
                throw new IllegalArgumentException("smoother '" + name + "' of multigrid has no option '" + option
                        + "', expected one of " + known + "; the numbers of sweeps are the cycle's");
            }
        }
        if ("backward".equals(options.get("direction"))) {
            throw new IllegalArgumentException("smoother '" + name + "' of multigrid has direction=backward, expected "
                    + "forward (down the levels, and backward on the way up) or symmetric");
        }
        if (isOfParts(name)) {
            PartSmoothers.check(name, options);
        }
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(Preconditioners.names());
        names.removeFirst();
        names.addAll(PartSmoothers.names());
        return names;
    }

    private static List<String> optionsOf(String name) {
        if (isOfParts(name)) {
            return PartSmoothers.options();
        }
        if (!Preconditioners.names().contains(name)) {
            throw new IllegalArgumentException("smoother '" + name + "' of multigrid, expected one of " + names());
        }
        return Preconditioners.optionsOf(name).stream().filter(one -> !one.equals("sweeps")).toList();
    }

    private static boolean isOfParts(String name) {
        return PartSmoothers.names().contains(name);
    }

    /**
     * Says whether it treats unknowns that stay on the next level and others apart.
     *
     * @return true for those of {@link PartSmoothers}, which are for levels that reduction makes
     */
    public boolean isOfParts() {
        return isOfParts(name);
    }

    /**
     * Reads a smoother.
     *
     * @param text a name, and options after commas, such as {@code gauss-seidel,direction=forward}
     * @return the smoother
     * @throws IllegalArgumentException if the name or an option is unknown; says what there is
     */
    public static SmootherSpec parse(String text) {
        String[] parts = text.split(",");
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("smoother '" + text + "': option '" + parts[i]
                        + "', expected NAME=VALUE");
            }
            options.put(parts[i].substring(0, equals).strip(), parts[i].substring(equals + 1).strip());
        }
        return new SmootherSpec(parts[0].strip(), options);
    }

    /**
     * Makes smoothers on a backend.
     *
     * @param backend where they run
     * @return what makes the smoother of a level
     */
    public MultigridParts.LevelSmoothers on(Backend backend) {
        return on(backend, new KnownLevels());
    }

    /**
     * Makes smoothers on a backend where something is known already.
     *
     * @param backend where they run
     * @param known   what is known of the levels
     * @return what makes the smoother of a level
     */
    MultigridParts.LevelSmoothers on(Backend backend, KnownLevels known) {
        return new MultigridParts.LevelSmoothers() {
            @Override
            public Smoother make(int level, CsrMatrix matrix, SpmvOperator product) {
                return makeFor(level, matrix, product);
            }

            @Override
            public Smoother makeFor(int level, SparseMatrix matrix, SpmvOperator product) {
                if (isOfParts()) {
                    return PartSmoothers.smoother(name, matrix, product, backend, options, known.coarse(level, name));
                }
                return ofNodes(known.nodeSize(level)).make(matrix, product, backend, known.radius(level),
                        known.symmetric());
            }
        };
    }

    private Smoother make(SparseMatrix matrix, SpmvOperator product, Backend backend, double known,
            boolean symmetric) {
        SmootherSpec complete = needsRadius() && Double.isNaN(known) ? with(radius(matrix, backend)) : with(known);
        return Preconditioners.smoother(name, matrix, product, backend, complete.options(), symmetric);
    }

    /** Takes nodes for blocks where their size is not given. */
    private SmootherSpec ofNodes(int size) {
        if (!name.startsWith("block-") || options.containsKey(BLOCK_SIZE) || options.containsKey("block-sizes")) {
            return this;
        }
        Map<String, String> complete = new LinkedHashMap<>(options);
        complete.put(BLOCK_SIZE, Integer.toString(size));
        return new SmootherSpec(name, complete);
    }

    /**
     * Says whether ρ(D⁻¹A) of a level says what the options leave open.
     *
     * @return true for Jacobi's method without a damping and Chebyshev polynomials without an upper end
     */
    public boolean needsRadius() {
        return (name.equals("jacobi") && !options.containsKey("omega"))
                || (name.equals("chebyshev") && !options.containsKey("lambda-max"));
    }

    /**
     * Returns the smoother of a level, with what its radius says.
     *
     * @param radius ρ(D⁻¹A) of the level
     * @return this with a damping or an upper end, or this if it needs none
     */
    public SmootherSpec with(double radius) {
        if (!needsRadius()) {
            return this;
        }
        Map<String, String> complete = new LinkedHashMap<>(options);
        if (name.equals("jacobi")) {
            complete.put("omega", Double.toString(radius == 0 ? 1 : Math.min(DAMPING / radius, MOST_DAMPING)));
        } else {
            complete.put("lambda-max", Double.toString(radius == 0 ? 1 : SAFETY * radius));
        }
        return new SmootherSpec(name, complete);
    }

    private static double radius(SparseMatrix matrix, Backend backend) {
        if (matrix instanceof BackendMatrix there) {
            return backend.kernels(AggregationKernels.class).radius(there, false);
        }
        CsrMatrix host = matrix.toCsr();
        return SpectralRadius.of(host, AggregationSetup.inverseDiagonal(host), false);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        options.forEach((option, value) -> text.append(',').append(option).append('=').append(value));
        return text.toString();
    }
}
