package org.trellis.solve.eigen;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.backend.HostBackend;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.Layout;
import org.trellis.solve.RankNumber;
import org.trellis.solve.VectorArithmetic;

/**
 * Vectors of one length wherever the backend has them, as dats on a set, and what eigenvalue methods do with them. Over
 * ranks they are a rank's part, and sums are those of all ranks, because the backend's are.
 */
final class VectorSet implements AutoCloseable {
    private static final long SEED = 19500101;
    private static final int BLOCK = 1 << 12;
    /** Elements of vectors whose loops one thread runs on a CPU. */
    private static final int UNSHARED = 1 << 14;
    /** Of the square of a length: what may be lost before rounding shows. */
    private static final double LEFT_OVER = 0.5;
    /** Of the length of a random vector: what is rounding alone, in units of rounding. */
    private static final int BREAKDOWN = 64;
    private static final int ATTEMPTS = 3;

    private final Mesh mesh;
    private final MeshSet rows;
    private final Precision precision;
    private final VectorArithmetic arithmetic;
    private final BasisArithmetic loops;
    private final int rank;
    private int drawn;

    /**
     * Makes a mesh.
     *
     * @param length of vectors, the rank's part
     * @param most   vectors of a basis
     * @param to     vectors that a basis is transformed to
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    VectorSet(Backend backend, int length, Precision precision, int most, int to) {
        this.precision = precision;
        this.rank = RankNumber.of(backend);
        // One block is run by the caller alone: another thread would spend more time waiting than computing.
        boolean alone = backend instanceof HostBackend && length <= UNSHARED;
        Optional<Integer> block = alone ? Optional.of(UNSHARED) : Optional.empty();
        this.mesh = Mesh.on(backend, new MeshOptions(Layout.AOS, Optional.empty(), block, false, false));
        this.arithmetic = new VectorArithmetic(backend);
        try {
            rows = mesh.set("rows", length);
            loops = alone && precision == Precision.F64
                    ? new HostBasis(length, most)
                    : new MeshBasis(arithmetic, mesh, rows, most, to);
        } catch (RuntimeException | OutOfMemoryError e) {
            close();
            throw e;
        }
    }

    /** Returns the length of vectors, of all ranks together. */
    static long wholeSize(Backend backend, int length) {
        try (VectorArithmetic arithmetic = new VectorArithmetic(backend);
                DenseVector ones = backend.vector(Precision.F64, length)) {
            ones.copyFrom(HostVector.of(Precision.F64, length, i -> 1));
            return (long) arithmetic.dot(ones, ones);
        }
    }

    /** Returns rounding of these vectors' elements. */
    double roundoff() {
        return precision.unitRoundoff();
    }

    VectorArithmetic arithmetic() {
        return arithmetic;
    }

    Dat vector(String name) {
        return mesh.dat(name, rows, 1, precision);
    }

    Dat[] vectors(String name, int count) {
        Dat[] all = new Dat[count];
        for (int i = 0; i < count; i++) {
            all[i] = vector(name + i);
        }
        return all;
    }

    /** Makes vectors in places that have none yet. */
    void complete(Dat[] places, String name, int count) {
        for (int i = 0; i < count; i++) {
            places[i] = places[i] == null ? vector(name + i) : places[i];
        }
    }

    void load(Dat to, HostVector from) {
        to.vector().copyFrom(from);
    }

    double[] toArray(Dat from) {
        HostVector copy = HostVector.zeros(precision, rows.size());
        from.vector().copyTo(copy);
        return copy.toDoubleArray();
    }

    /** Fills a vector with numbers between −1 and 1, others at each call and on each rank, the same in each run. */
    void draw(Dat to) {
        int number = drawn;
        drawn++;
        HostVector vector = HostVector.zeros(precision, rows.size());
        ParallelRanges.run(Math.ceilDiv(vector.length(), BLOCK), 1, (from, end) -> {
            for (int block = from; block < end; block++) {
                SplittableRandom random = new SplittableRandom(
                        SEED + 0x9E3779B97F4A7C15L * ((long) rank << 40 | block) + 31L * number);
                for (int i = block * BLOCK; i < Math.min(vector.length(), (block + 1L) * BLOCK); i++) {
                    vector.set(i, random.nextDouble(-1, 1));
                }
            }
        });
        load(to, vector);
    }

    /**
     * Puts a random unit vector into a place of a basis, orthogonal to those before; zeros if there is none.
     *
     * @param found room for as many numbers
     */
    void drawUnit(Dat[] basis, int place, double[] found) {
        Dat v = basis[place];
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            draw(v);
            double before = norm(v);
            double first = 0;
            for (int pass = 0; pass < 2; pass++) {
                double length = orthogonalise(v, basis, 0, place, true, found).length();
                first = pass == 0 ? length : first;
                if (length > 0) {
                    multiply(1 / length, v);
                }
            }
            if (first > BREAKDOWN * precision.unitRoundoff() * before) {
                return;
            }
        }
        update(0, basis[0], 0, v);
    }

    double dot(Dat x, Dat y) {
        return arithmetic.dot(x.vector(), y.vector());
    }

    double norm(Dat x) {
        return arithmetic.norm(x.vector());
    }

    void multiply(double factor, Dat x) {
        loops.multiply(factor, x);
    }

    /** Computes {@code y = α x + β y}. */
    void update(double alpha, Dat x, double beta, Dat y) {
        arithmetic.update(alpha, x.vector(), beta, y.vector());
    }

    /** Returns the dot products of a vector with those of a basis. */
    double[] dots(Dat w, Dat[] basis, int count) {
        return loops.dots(w, basis, count);
    }

    /**
     * Subtracts from w what it has of some vectors: {@code w −= Σ (t · v) v}.
     *
     * @param t     w, or its product with the matrix of the inner product
     * @param found to which coefficients are added
     */
    void subtract(Dat t, Dat w, Dat[] basis, int count, double[] found) {
        loops.clear(t, w, basis, 0, count, 0);
        loops.fetch();
        for (int i = 0; i < count; i++) {
            found[i] += loops.kept(0, i);
        }
    }

    /**
     * Makes w orthogonal to an orthonormal basis: to a few vectors that most of it comes from, then to all, and again
     * to all as long as rounding shows (L. Giraud, J. Langou, M. Rozložník, Numer. Math. 101, 2005).
     *
     * @param few    index of the first of the vectors that most of w comes from, which end at count
     * @param always whether all are taken twice at least, or only where rounding shows
     * @param found  the coefficients, overwritten; the second parts of the last pass are added
     * @return the length of what is left, and the greatest coefficient of a vector outside of the few
     */
    Left orthogonalise(Dat w, Dat[] basis, int few, int count, boolean always, double[] found) {
        Arrays.fill(found, 0, count, 0);
        if (count == 0) {
            return new Left(norm(w), 0);
        }
        loops.clear(w, w, basis, few, count - few, 0);
        boolean again = always;
        if (always) {
            loops.clear(w, w, basis, 0, count, 1);
        }
        double after = loops.square(w);
        double before = after;
        for (int i = few; i < count; i++) {
            found[i] = loops.kept(0, i - few);
            before += again ? 0 : found[i] * found[i];
        }
        double outside = 0;
        for (int i = 0; again && i < count; i++) {
            double part = loops.kept(1, i);
            before += part * part;
            found[i] += part;
            outside = i < few ? Math.max(outside, Math.abs(part)) : outside;
        }
        for (int pass = 0; pass < 3 && after < LEFT_OVER * before; pass++) {
            loops.clear(w, w, basis, 0, count, 1);
            after = loops.square(w);
            before = after;
            for (int i = 0; i < count; i++) {
                double part = loops.kept(1, i);
                before += part * part;
                found[i] += part;
            }
        }
        return new Left(Math.sqrt(after), outside);
    }

    /**
     * Subtracts from w what it has of the last vectors of a basis, once.
     *
     * @param few   index of the first of them, which end at count
     * @param found the coefficients, overwritten
     * @return the length of what is left
     */
    double subtractLast(Dat w, Dat[] basis, int few, int count, double[] found) {
        Arrays.fill(found, 0, count, 0);
        loops.clear(w, w, basis, few, count - few, 0);
        double square = loops.square(w);
        for (int i = few; i < count; i++) {
            found[i] = loops.kept(0, i - few);
        }
        return Math.sqrt(square);
    }

    /**
     * Makes the four vectors behind an orthonormal basis orthogonal to it, once.
     *
     * @return the greatest coefficient of each
     */
    double[] clearFour(Dat[] basis, int count) {
        return loops.clearFour(basis, count);
    }

    /** What is left of a vector, and the greatest product with vectors that it should have nothing of. */
    record Left(double length, double outside) {}

    /** Computes {@code to[j] = Σ q[i][j] from[i]}. */
    void transform(Dat[] from, int count, double[][] q, Dat[] to, int columns) {
        loops.transform(from, count, q, to, columns);
    }

    @Override
    public void close() {
        mesh.close();
        arithmetic.close();
    }
}
