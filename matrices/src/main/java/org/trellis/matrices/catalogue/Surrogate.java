package org.trellis.matrices.catalogue;

import java.util.ArrayList;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixGenerator;
import org.trellis.matrices.generate.RandomMatrix;
import org.trellis.matrices.generate.RowLengths;
import org.trellis.matrices.generate.RowSource;
import org.trellis.matrices.generate.SplitMix;
import org.trellis.matrices.generate.Stencils;
import org.trellis.matrices.generate.ValueRule;
import org.trellis.sparse.CsrMatrix;

/**
 * A matrix in place of one of the 44 of the thesis, not that matrix: the same rows, columns and non-zeros, and so the
 * same mean row length, exactly; the deviation of the row lengths within {@link #DEVIATION_TOLERANCE}; a pattern of the
 * same kind, symmetric where the original's is. Values are random. The number of entries on the diagonal is kept where
 * the pattern is symmetric, and is full elsewhere if the original's nearly is; the bandwidth is about that of the
 * original where that is narrow.
 *
 * <p>Not kept: the symmetry of the pattern where the original's is partial, the distribution of column lengths of
 * unsymmetric ones, the numerical properties beyond symmetry and definiteness, and explicit zeros.
 */
public final class Surrogate implements MatrixGenerator {
    /** Prefix of the names of surrogates in the catalogue. */
    public static final String PREFIX = "surrogate:";
    /** Relative difference allowed between the deviation of the row lengths and that of the facts. */
    public static final double DEVIATION_TOLERANCE = 0.02;

    private static final double NEARLY_ALL = 0.99;
    private static final int LATTICE_X = 148;
    private static final int LATTICE_Z = 58;
    private static final int TRIANGLES_X = 1025;
    private static final int TRIANGLES_Y = 513;
    private static final int TORUS_X = 160;
    private static final int TORUS_Y = 256;
    private static final double SHORT_ROW_DEVIATION = 3;

    private final ThesisMatrix facts;
    private final long seed;

    private Surrogate(ThesisMatrix facts, long seed) {
        this.facts = facts;
        this.seed = seed;
    }

    /**
     * Makes the surrogate of a matrix; always the same one.
     *
     * @param facts what is published about the original
     * @return the generator
     */
    public static Surrogate of(ThesisMatrix facts) {
        long seed = 0;
        for (char c : facts.name().toCharArray()) {
            seed = SplitMix.hash(seed, c);
        }
        return new Surrogate(facts, seed);
    }

    /**
     * Returns the facts.
     *
     * @return what is published about the original
     */
    public ThesisMatrix facts() {
        return facts;
    }

    /**
     * Returns the name, which says what it is.
     *
     * @return {@code surrogate:} and the name of the original
     */
    public String name() {
        return PREFIX + facts.name();
    }

    @Override
    public int rows() {
        return facts.rows();
    }

    @Override
    public int columns() {
        return facts.columns();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Takes up to about 20 bytes a non-zero beside the matrix where unknowns are not grouped, less elsewhere.
     */
    @Override
    public CsrMatrix generate(Precision precision, ProgressListener progress) {
        return rowSource().generate(precision, progress);
    }

    /** Returns the rows; makes the graph first where there is one. */
    RowSource rowSource() {
        return switch (facts.recipe().structure()) {
            case STENCIL -> Stencils.poisson3d(7, LATTICE_X, LATTICE_X, LATTICE_Z);
            case GRID -> Stencils.poisson2d(7, TRIANGLES_X, TRIANGLES_Y);
            case TRIANGLES -> new TriangleTorus(TORUS_X, TORUS_Y, new SurrogateValues(facts, seed));
            case SYMMETRIC2D, SYMMETRIC3D -> new SymmetricSurrogate(facts, seed).makeRows();
            case LATTICE2D, LATTICE3D -> new LatticeRows(facts, lengths(), seed);
            case LOCAL -> new RandomMatrix(facts.rows(), facts.columns(), new RowLengths.Given(lengths()),
                    new RandomMatrix.Locality(facts.recipe().window(), facts.recipe().far(),
                            facts.diagonal() > NEARLY_ALL * facts.rows()),
                    facts.type().charAt(0) == 'p' ? ValueRule.ONES : ValueRule.UNIFORM, seed);
        };
    }

    /** The lengths of all rows, the long ones in the middle. */
    private int[] lengths() {
        ThesisMatrix.Recipe recipe = facts.recipe();
        List<Integer> longRows = new ArrayList<>(recipe.longRows());
        long longSum = longRows.stream().mapToLong(Integer::longValue).sum();
        double deviation = longRows.isEmpty() ? facts.deviation() : SHORT_ROW_DEVIATION;
        int[] sorted = LengthHistogram.fit(facts.rows() - longRows.size(), facts.nonZeros() - longSum, deviation,
                recipe.shortest(), recipe.longest(), recipe.lengths().equals("lognormal"));
        int[] dealt = SmoothOrder.deal(sorted, seed);
        int[] lengths = new int[facts.rows()];
        int middle = dealt.length / 2;
        System.arraycopy(dealt, 0, lengths, 0, middle);
        for (int i = 0; i < longRows.size(); i++) {
            lengths[middle + i] = longRows.get(i);
        }
        System.arraycopy(dealt, middle, lengths, middle + longRows.size(), dealt.length - middle);
        return lengths;
    }

    @Override
    public String toString() {
        return name();
    }
}
