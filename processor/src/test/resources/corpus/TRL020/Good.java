package corpus.trl020;

import org.trellis.kernel.*;

/** Keeps the rule of TRL020. */
final class Good {
    static final int SIZE = 2;
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Read int[] n, @Write double[] b) {
        double[] s = new double[SIZE + 1];
        double[][] u = new double[2][3];
        double[][] v = {{1.0, 0.0}, {2.0, 3.0}};
        int[] w = {1, n[0]};
        b[0] = s[2] + u[1][2] + v[0][1] + w[1];
    }

    private Good() {}
}
