package org.trellis.sparse.algebra;

import java.util.concurrent.ForkJoinPool;
import java.util.function.IntPredicate;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;
import org.trellis.sparse.CsrSegment;

/**
 * Products of sparse matrices, row by row (F. G. Gustavson, "Two fast algorithms for sparse matrices: multiplication
 * and permuted transposition", ACM Trans. Math. Softw. 4, 1978): row i of AB is the sum of the rows of B that row i of
 * A names. All terms are passed once, and rows put together when all are there: meanwhile that takes twelve bytes for
 * each entry of the result and, for each thread, up to sixteen bytes for each column between the first and the last of
 * a row; in single precision also eight bytes for each entry of B. The memory for rows is lent to later products, up to
 * a sixty-fourth of the heap unless the collector needs it. Where the result has far more columns than the factors have
 * entries, all terms are passed twice, with a hash table for each thread and nothing else.
 *
 * <p>The same bits however many threads there are: an element is the sum of its terms in the order of the columns of A,
 * formed in double precision and rounded once. There is an entry wherever there is a term, also if the sum is 0.
 */
public final class MatrixProduct {
    private static final int ROWS_PER_TASK = 64;

    private MatrixProduct() {}

    /**
     * Computes {@code A B}. Costs one pass over all terms, on several threads.
     *
     * @param a the left factor
     * @param b the right factor, with as many rows as {@code a} has columns and the same precision
     * @return a new matrix
     * @throws IllegalArgumentException if sizes do not fit or precisions differ
     */
    public static CsrMatrix multiply(CsrMatrix a, CsrMatrix b) {
        if (a.columns() != b.rows() || a.precision() != b.precision()) {
            throw new IllegalArgumentException("product of " + a + " and " + b
                    + ", expected as many columns as rows and equal precisions");
        }
        return isNarrow(a, b) ? inOnePass(a, b) : byHashing(a, b);
    }

    /**
     * Computes {@code A B} with other sums and products of elements. Costs two passes over all terms, on several
     * threads, each of which holds a full row of the result.
     *
     * @param a        the left factor
     * @param b        the right factor, with as many rows as {@code a} has columns and the same precision
     * @param semiring what adds and multiplies
     * @return a new matrix with an entry wherever there is a term, whatever its value
     * @throws IllegalArgumentException if sizes do not fit or precisions differ
     */
    public static CsrMatrix multiply(CsrMatrix a, CsrMatrix b, Semiring semiring) {
        if (a.columns() != b.rows() || a.precision() != b.precision()) {
            throw new IllegalArgumentException(semiring.name() + " product of " + a + " and " + b
                    + ", expected as many columns as rows and equal precisions");
        }
        return SemiringProduct.of(a, b, semiring);
    }

    /**
     * Computes a power by squaring.
     *
     * @param a        a square matrix
     * @param exponent at least 0
     * @return {@code A} times itself so often; the identity for 0
     * @throws IllegalArgumentException if the matrix is not square or the exponent negative
     */
    public static CsrMatrix power(CsrMatrix a, int exponent) {
        if (a.rows() != a.columns() || exponent < 0) {
            throw new IllegalArgumentException("power " + exponent + " of " + a
                    + ", expected an exponent of at least 0 and a square matrix");
        }
        if (exponent <= 1) {
            return exponent == 1 ? a : CsrMatrix.identity(a.rows(), a.precision());
        }
        CsrMatrix half = power(a, exponent / 2);
        CsrMatrix square = multiply(half, half);
        return exponent % 2 == 0 ? square : multiply(square, a);
    }

    /** Says whether arrays of as many elements as the product has columns, one a thread, are small beside factors. */
    static boolean isNarrow(CsrMatrix a, CsrMatrix b) {
        return b.columns() <= 2 * (a.nonZeros() + b.nonZeros()) + a.rows();
    }

    private static CsrMatrix inOnePass(CsrMatrix a, CsrMatrix b) {
        return rows(a, RowTerms.Right.of(b), b.columns(), b.nonZeros()).toMatrix();
    }

    private static RowPieces rows(CsrMatrix a, RowTerms.Right right, int columns, long nonZeros) {
        long entries = a.nonZeros() + nonZeros;
        boolean direct = (ForkJoinPool.getCommonPoolParallelism() + 1L) * columns <= entries;
        RowPieces product = new RowPieces(a.rows(), columns, a.precision(), 2 * entries);
        ParallelRanges.run(product.pieces(), 1, () -> new ProductRows(a, new RowTerms(right), product, direct),
                (from, to, rows) -> {
                    for (int piece = from; piece < to; piece++) {
                        rows.compute(piece);
                    }
                });
        return product;
    }

    /** For few terms in very many columns. */
    private static CsrMatrix byHashing(CsrMatrix a, CsrMatrix b) {
        int[] lengths = new int[a.rows()];
        ParallelRanges.run(a.rows(), ROWS_PER_TASK, () -> new RowAccumulator(b.columns()), (from, to, accumulator) -> {
            for (int row = from; row < to; row++) {
                lengths[row] = count(a, b, row, accumulator);
            }
        });
        return CsrFill.fill(b.columns(), a.precision(), lengths, () -> {
            RowAccumulator accumulator = new RowAccumulator(b.columns());
            return (row, columns, values, at) -> {
                compute(a, b, row, accumulator);
                accumulator.store(columns, values, at);
            };
        });
    }

    /**
     * Computes {@code R A P}, the coarse matrix of a multigrid method, as {@code (R A) P}. Costs two products; the
     * first is held meanwhile.
     *
     * @param r the restriction
     * @param a the matrix
     * @param p the prolongation
     * @return a new matrix of as many rows as {@code r} and as many columns as {@code p}
     * @throws IllegalArgumentException if sizes do not fit or precisions differ
     */
    public static CsrMatrix triple(CsrMatrix r, CsrMatrix a, CsrMatrix p) {
        return multiply(multiply(r, a), p);
    }

    /**
     * Computes {@code R (A P)}, the coarse matrix of a multigrid method: the same bits as two products, of which the
     * first never becomes a matrix. Its rows are held until the second is made, in memory that is lent again
     * afterwards.
     *
     * @param r the restriction
     * @param a the matrix
     * @param p the prolongation
     * @return a new matrix of as many rows as {@code r} and as many columns as {@code p}
     * @throws IllegalArgumentException if sizes do not fit or precisions differ
     */
    public static CsrMatrix galerkin(CsrMatrix r, CsrMatrix a, CsrMatrix p) {
        if (r.columns() != a.rows() || a.columns() != p.rows() || r.precision() != a.precision()
                || a.precision() != p.precision()) {
            throw new IllegalArgumentException("product of " + r + ", " + a + " and " + p
                    + ", expected as many columns as rows and equal precisions");
        }
        if (!isNarrow(a, p)) {
            return multiply(r, multiply(a, p));
        }
        RowPieces ap = rows(a, RowTerms.Right.of(p), p.columns(), p.nonZeros());
        CsrMatrix product = rows(r, RowTerms.Right.of(ap), p.columns(), ap.entries()).toMatrix();
        ap.close();
        return product;
    }

    /**
     * Computes {@code A B} once more, for other values in the same structure: the same bits as {@link #multiply} and a
     * good deal cheaper, since nothing is counted, searched for or sorted. Costs one pass over all terms, on several
     * threads.
     *
     * @param structure a product of factors of the same structure; its values mean nothing. It may have further entries
     * @param a         the left factor
     * @param b         the right factor
     * @return a new matrix with the entries of {@code structure}
     * @throws IllegalArgumentException if sizes do not fit, precisions differ, or a term has no entry; names its place
     */
    public static CsrMatrix again(CsrMatrix structure, CsrMatrix a, CsrMatrix b) {
        if (a.columns() != b.rows() || a.precision() != b.precision() || structure.rows() != a.rows()
                || structure.columns() != b.columns()) {
            throw new IllegalArgumentException("product of " + a + " and " + b + " in the structure of " + structure
                    + ", expected sizes that fit and equal precisions");
        }
        int[] lengths = structure.rowLengths();
        return CsrFill.fill(b.columns(), a.precision(), lengths, () -> {
            KnownRow known = new KnownRow(a, b, alike(a, structure));
            return (row, columns, values, at) -> {
                CsrSegment segment = structure.segmentOf(row);
                System.arraycopy(segment.columnIndices(), segment.rowStart(row), columns, at, lengths[row]);
                int absent = known.compute(row, columns, lengths[row], values, at);
                if (absent >= 0) {
                    throw withoutEntry(structure, row, absent);
                }
            };
        });
    }

    /** Says whether a row of both matrices has the columns of the row before; for one thread. */
    private static IntPredicate alike(CsrMatrix a, CsrMatrix structure) {
        CsrRowCursor[] pairs = {new CsrRowCursor(a), new CsrRowCursor(a), new CsrRowCursor(structure),
            new CsrRowCursor(structure)};
        return row -> {
            for (int i = 0; i < pairs.length; i++) {
                pairs[i].moveTo(row - 1 + i % 2);
            }
            return pairs[0].hasColumnsOf(pairs[1]) && pairs[2].hasColumnsOf(pairs[3]);
        };
    }

    private static IllegalArgumentException withoutEntry(CsrMatrix structure, int row, int column) {
        return new IllegalArgumentException("product in the structure of " + structure + ": row " + row
                + " has a term in column " + column + ", expected an entry there");
    }

    private static long terms(CsrMatrix b, CsrSegment source, int row) {
        long terms = 0;
        for (int k = source.rowStart(row); k < source.rowEnd(row); k++) {
            int inner = source.columnIndices()[k];
            CsrSegment added = b.segmentOf(inner);
            terms += added.rowEnd(inner) - added.rowStart(inner);
        }
        return terms;
    }

    private static int count(CsrMatrix a, CsrMatrix b, int row, RowAccumulator accumulator) {
        CsrSegment source = a.segmentOf(row);
        accumulator.start(row, terms(b, source, row));
        for (int k = source.rowStart(row); k < source.rowEnd(row); k++) {
            int inner = source.columnIndices()[k];
            CsrSegment added = b.segmentOf(inner);
            int end = added.rowEnd(inner);
            for (int l = added.rowStart(inner); l < end; l++) {
                accumulator.touch(added.columnIndices()[l]);
            }
        }
        return accumulator.size();
    }

    private static void compute(CsrMatrix a, CsrMatrix b, int row, RowAccumulator accumulator) {
        CsrSegment source = a.segmentOf(row);
        accumulator.start(row, terms(b, source, row));
        for (int k = source.rowStart(row); k < source.rowEnd(row); k++) {
            int inner = source.columnIndices()[k];
            CsrSegment added = b.segmentOf(inner);
            accumulator.add(source.values().get(k), added, added.rowStart(inner), added.rowEnd(inner));
        }
    }
}
