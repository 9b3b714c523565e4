package org.trellis.solve.eigen;

import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.Scalars;
import org.trellis.solve.BasisLoops;
import org.trellis.solve.VectorArithmetic;

/** Loops over vectors wherever they are; dot products stay there until they are fetched. */
final class MeshBasis implements BasisArithmetic {
    private final VectorArithmetic arithmetic;
    private final Mesh mesh;
    private final MeshSet rows;
    private final int most;
    private final BasisLoops loops;
    private final BasisTransform transform;
    private final BlockLoops blocks;
    private final Scalars sums;
    private final double[] fetched;
    private final BasisLoops.Coefficients[] parts = new BasisLoops.Coefficients[2];
    private final Scalar square;
    private ParallelLoop norm;

    /**
     * Makes room for coefficients.
     *
     * @param arithmetic of the same backend
     * @param most       vectors of a basis
     * @param to         vectors that a basis is transformed to
     */
    MeshBasis(VectorArithmetic arithmetic, Mesh mesh, MeshSet rows, int most, int to) {
        this.arithmetic = arithmetic;
        this.mesh = mesh;
        this.rows = rows;
        this.most = most;
        loops = new BasisLoops(mesh, rows);
        sums = mesh.scalars("sums", 2 * most + 1);
        fetched = new double[2 * most + 1];
        for (int part = 0; part < parts.length; part++) {
            parts[part] = new BasisLoops.Coefficients(sums, part * most, most);
        }
        square = sums.at(2 * most);
        transform = new BasisTransform(mesh, rows, most, to);
        blocks = new BlockLoops(mesh, rows, most);
    }

    @Override
    public void multiply(double factor, Dat x) {
        DenseVector v = x.vector();
        arithmetic.update(factor, v, 0, v);
    }

    @Override
    public double[] dots(Dat w, Dat[] basis, int count) {
        double[] result = new double[count];
        if (count > 0) {
            loops.dots(w, basis, 0, count, parts[0]);
            sums.copyTo(fetched);
            System.arraycopy(fetched, 0, result, 0, count);
        }
        return result;
    }

    @Override
    public void clear(Dat t, Dat w, Dat[] basis, int from, int count, int part) {
        loops.dots(t, basis, from, count, parts[part]);
        loops.subtract(w, basis, from, count, parts[part]);
    }

    @Override
    public void fetch() {
        sums.copyTo(fetched);
    }

    @Override
    public double square(Dat w) {
        norm = norm == null ? mesh.loop(EigenUpdatesLoops.SQUARE, rows, w, square) : norm.bind(w, square);
        norm.run();
        sums.copyTo(fetched);
        return fetched[2 * most];
    }

    @Override
    public double kept(int part, int index) {
        return fetched[part * most + index];
    }

    @Override
    public double[] clearFour(Dat[] basis, int count) {
        return blocks.clear(basis, count);
    }

    @Override
    public void transform(Dat[] from, int count, double[][] q, Dat[] to, int columns) {
        transform.apply(from, count, q, to, columns);
    }
}
