package org.trellis.tuner.features;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.krylov.DirectSolver;
import org.trellis.solve.krylov.MatrixProperties;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * What the choice of a solver sees of a square matrix, beside its size: numbers that do not change when the matrix is
 * multiplied by a positive number. Costs a transposition, about {@value #STEPS} products with the matrix and with its
 * transpose, and the analysis of a factorisation.
 *
 * @param rows              the number of rows
 * @param meanRowLength     mean entries of a row
 * @param symmetric         1 if the matrix is its own transpose but for rounding, else 0
 * @param asymmetry         {@code ‖A − Aᵀ‖ / ‖A + Aᵀ‖} in the Frobenius norm, at most 10
 * @param positiveDiagonal  the share of rows whose diagonal element is positive
 * @param dominantRows      the share of rows whose diagonal element is at least the sum of the magnitudes beside it
 * @param dominance         the mean of the diagonal's share of a row's magnitudes, from 0 to 1
 * @param positiveCouplings the share of positive entries of the magnitudes beside the diagonal
 * @param blockSize         unknowns of a node, 1 where none are seen
 * @param constants         {@code ‖A 1‖ / ‖ |A| 1 ‖}, near 0 where constants are nearly a null space
 * @param anisotropy        the mean over rows of the binary logarithm of the largest over the mean magnitude beside the
 *                          diagonal
 * @param scaling           the binary logarithm of the largest over the smallest magnitude on the diagonal, at most 200
 * @param bandwidth         the mean distance of entries from the diagonal over the number of rows
 * @param dimension         how a neighbourhood grows with its radius, from a breadth-first search: about 1 for a line,
 *                          2 for a surface, 3 for a body
 * @param leastRitz         the least Ritz value of the symmetric part, scaled to a diagonal of 1, after {@value #STEPS}
 *                          Lanczos steps; below 0 for indefinite matrices only
 * @param greatestRitz      the greatest
 * @param fill              entries of a Cholesky factor, or half of those of both by LU, over those of the matrix, as
 *                          an analysis of the structure says; {@value #MOST_FILL} where it is more, where there is no
 *                          such factor, and where the Ritz values are so close that methods take few iterations; 0
 *                          where that is not known
 */
public record SystemFeatures(long rows, double meanRowLength, double symmetric, double asymmetry,
        double positiveDiagonal, double dominantRows, double dominance, double positiveCouplings, double blockSize,
        double constants, double anisotropy, double scaling, double bandwidth, double dimension, double leastRitz,
        double greatestRitz, double fill) {
    /** Analyses a matrix. */
    @FunctionalInterface
    public interface Filled {
        /**
         * Returns the fill of the factors of the matrix.
         *
         * @param symmetric whether it is its own transpose but for rounding
         * @return entries of one factor over those of the matrix
         * @throws FactorisationException if there are no factors
         */
        double of(boolean symmetric);
    }

    /** Lanczos steps of the estimates of the spectrum. */
    public static final int STEPS = 8;

    /** More fill than this makes no difference. */
    public static final double MOST_FILL = 64;

    /** The quotient of Ritz values up to which no factorisation is thought of: some 15 iterations. */
    public static final double FEW_ITERATIONS = 4;
    private static final double TINY = 1e-6;
    private static final List<String> NAMES = List.of("logRows", "logMeanRowLength", "symmetric", "asymmetry",
            "positiveDiagonal", "dominantRows", "dominance", "positiveCouplings", "blockSize", "logConstants",
            "anisotropy", "scaling", "logBandwidth", "dimension", "leastRitz", "greatestRitz",
            "logFill");

    /**
     * Finds the features of a matrix.
     *
     * @param matrix a square matrix
     * @return its features
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static SystemFeatures of(CsrMatrix matrix) {
        return of(matrix, symmetric -> fill(DirectSolver.analysed(matrix, symmetric,
                LuOptions.defaults().with(FactorLimits.ofHeap().ofEntries(entries(MOST_FILL, matrix, symmetric)))),
                matrix));
    }

    /**
     * Returns the entries that factors have for so many times those of a matrix.
     *
     * @param fill      entries of one factor for each one of the matrix
     * @param matrix    the matrix
     * @param symmetric whether there is one factor
     * @return the entries of one factor or of both
     */
    public static double entries(double fill, CsrMatrix matrix, boolean symmetric) {
        return (symmetric ? 1 : 2) * fill * Math.max(1, matrix.nonZeros());
    }

    /**
     * Says how many entries factors have for each one of the matrix.
     *
     * @param analysed an analysis of the matrix
     * @param matrix   the matrix
     * @return entries of one factor over those of the matrix
     */
    public static double fill(DirectSolver analysed, CsrMatrix matrix) {
        double both = analysed.isSymmetric() ? 1 : 2;
        return analysed.predicted().nonZeros() / both / Math.max(1, matrix.nonZeros());
    }

    /**
     * Finds the features of a matrix with an analysis that its owner makes, to factorise by it.
     *
     * @param matrix a square matrix
     * @param filled takes whether the matrix is symmetric and returns the {@linkplain #fill(DirectSolver, CsrMatrix)
     *               fill}; not asked where few iterations will do
     * @return its features
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static SystemFeatures of(CsrMatrix matrix, Filled filled) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("features of a system with " + matrix + ", expected a square matrix");
        }
        CsrMatrix transposed = matrix.transpose();
        boolean symmetric = matrix.closeTo(transposed, MatrixProperties.tolerance(matrix.precision()), 0);
        SystemSums sums = SystemSums.of(matrix, transposed);
        boolean nodes = symmetric && sums.positiveDiagonal == 1;
        double[] ritz = SystemLanczos.ritzValues(matrix, transposed, sums.diagonal, STEPS);
        return new SystemFeatures(matrix.rows(), (double) matrix.nonZeros() / Math.max(1, matrix.rows()),
                symmetric ? 1 : 0, symmetric ? 0 : sums.asymmetry, sums.positiveDiagonal, sums.dominantRows,
                sums.dominance, sums.positiveCouplings, nodes ? MatrixProperties.blockSizeOf(matrix) : 1,
                sums.constants, sums.anisotropy, sums.scaling, sums.bandwidth, dimension(matrix), ritz[0], ritz[1],
                fill(matrix, filled, symmetric, ritz));
    }

    private static double fill(CsrMatrix matrix, Filled filled, boolean symmetric, double[] ritz) {
        if (fewIterations(ritz[0], ritz[1]) && !LevelWidth.isNarrow(matrix)) {
            return MOST_FILL;
        }
        try {
            return Math.min(MOST_FILL, filled.of(symmetric));
        } catch (FactorisationException e) {
            return MOST_FILL;
        }
    }

    /**
     * Says whether the factors of a matrix may stay sparse, so that an analysis is worth its time. Costs two passes
     * over the structure.
     *
     * @param matrix a square matrix
     * @return false for graphs whose neighbourhoods grow fast
     */
    public static boolean isNarrow(CsrMatrix matrix) {
        return LevelWidth.isNarrow(matrix);
    }

    /**
     * Estimates how far apart the eigenvalues are of the symmetric part of a matrix whose diagonal is scaled to
     * magnitude 1. Costs a few products.
     *
     * @param matrix    a square matrix
     * @param symmetric whether it is its own transpose
     * @return the magnitude of the greatest Ritz value over that of the least, from inside; infinite if they have not
     *         one sign; only what steps have found until then where that exceeds {@link #FEW_ITERATIONS}
     */
    public static double spread(CsrMatrix matrix, boolean symmetric) {
        return SystemLanczos.spread(SystemLanczos.ritzValues(matrix, symmetric ? matrix : matrix.transpose(),
                matrix.diagonal().toDoubleArray(), STEPS, FEW_ITERATIONS));
    }

    /**
     * Estimates the same of the first rows and columns of a symmetric matrix alone, without an end before all steps.
     * What few steps see of the smallest eigenvalues says how many there are: on a line most, in a body fewest.
     *
     * @param matrix a square matrix that is its own transpose
     * @param rows   of how many rows
     * @return the magnitude of the greatest Ritz value over that of the least; infinite if they have not one sign
     */
    public static double spreadOfFirst(CsrMatrix matrix, int rows) {
        int some = Math.min(rows, matrix.rows());
        CsrMatrix part = some == matrix.rows() ? matrix : matrix.submatrix(0, some, 0, some);
        return SystemLanczos.spread(
                SystemLanczos.ritzValues(part, part, part.diagonal().toDoubleArray(), STEPS));
    }

    private static boolean fewIterations(double least, double greatest) {
        return least > 0 && greatest <= FEW_ITERATIONS * least;
    }

    /**
     * Says whether any method will do, as Ritz values that are close together say.
     *
     * @return true for some 15 iterations with the diagonal as preconditioner
     */
    public boolean takesFewIterations() {
        return fewIterations(leastRitz, greatestRitz);
    }

    /** From the middle of the numbering, rows within twice the radius over rows within the radius. */
    private static double dimension(CsrMatrix matrix) {
        int n = matrix.rows();
        if (n == 0) {
            return 0;
        }
        int[] queue = new int[n];
        int[] level = new int[n];
        Arrays.fill(level, -1);
        queue[0] = n / 2;
        level[queue[0]] = 0;
        int end = 1;
        int last = 0;
        for (int next = 0; next < end; next++) {
            int row = queue[next];
            last = level[row];
            CsrSegment segment = matrix.segmentOf(row);
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                int column = segment.columnIndices()[k];
                if (level[column] < 0) {
                    level[column] = last + 1;
                    queue[end++] = column;
                }
            }
        }
        // At half the depth the boundary is seldom reached.
        int half = Math.max(1, last / 2);
        int quarter = Math.max(1, last / 4);
        int within = 0;
        int near = 0;
        for (int i = 0; i < end; i++) {
            within += level[queue[i]] <= half ? 1 : 0;
            near += level[queue[i]] <= quarter ? 1 : 0;
        }
        return half == quarter
                ? 10
                : Math.min(10, Math.log((double) within / near) / Math.log((double) half / quarter));
    }

    /**
     * Returns the names of the numbers of {@link #vector}, which a model is stored with.
     *
     * @return the names in the vector's order
     */
    public static List<String> vectorNames() {
        return NAMES;
    }

    /**
     * Returns what a model reads: the features on scales on which equal steps mean about the same.
     *
     * @return a new array, as long as {@link #vectorNames}
     */
    public double[] vector() {
        return new double[]{MatrixFeatures.log2(rows + 1.0), MatrixFeatures.log2(Math.max(meanRowLength, 1e-3)),
            symmetric, asymmetry, positiveDiagonal, dominantRows, dominance, positiveCouplings, blockSize,
            MatrixFeatures.log2(Math.max(TINY, constants)), anisotropy, scaling,
            MatrixFeatures.log2(Math.max(TINY, bandwidth)), dimension, leastRitz, greatestRitz,
            MatrixFeatures.log2(Math.max(1.0 / MOST_FILL, fill == 0 ? MOST_FILL : fill))};
    }

    /**
     * Returns the features by name, for files.
     *
     * @return a new map in a fixed order
     */
    public Map<String, Number> toMap() {
        Map<String, Number> map = new LinkedHashMap<>();
        map.put("rows", rows);
        map.put("meanRowLength", meanRowLength);
        map.put("symmetric", symmetric);
        map.put("asymmetry", asymmetry);
        map.put("positiveDiagonal", positiveDiagonal);
        map.put("dominantRows", dominantRows);
        map.put("dominance", dominance);
        map.put("positiveCouplings", positiveCouplings);
        map.put("blockSize", blockSize);
        map.put("constants", constants);
        map.put("anisotropy", anisotropy);
        map.put("scaling", scaling);
        map.put("bandwidth", bandwidth);
        map.put("dimension", dimension);
        map.put("leastRitz", leastRitz);
        map.put("greatestRitz", greatestRitz);
        map.put("fill", fill);
        return map;
    }

    /**
     * Reads features by name; the inverse of {@link #toMap}.
     *
     * @param map names and values; names that are no features are ignored, and the fill may be missing, as in older
     *            files
     * @return the features
     * @throws IllegalArgumentException if one is missing or no finite number
     */
    public static SystemFeatures fromMap(Map<String, ? extends Number> map) {
        return new SystemFeatures((long) MatrixFeatures.number(map, "rows"), number(map, "meanRowLength"),
                number(map, "symmetric"), number(map, "asymmetry"), number(map, "positiveDiagonal"),
                number(map, "dominantRows"), number(map, "dominance"), number(map, "positiveCouplings"),
                number(map, "blockSize"), number(map, "constants"), number(map, "anisotropy"), number(map, "scaling"),
                number(map, "bandwidth"), number(map, "dimension"), number(map, "leastRitz"),
                number(map, "greatestRitz"), map.containsKey("fill") ? number(map, "fill") : 0);
    }

    private static double number(Map<String, ? extends Number> map, String name) {
        return MatrixFeatures.number(map, name);
    }
}
