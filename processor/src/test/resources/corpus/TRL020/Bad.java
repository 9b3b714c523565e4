package corpus.trl020;

import org.trellis.kernel.*;

/** Breaks the rule of TRL020. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Read int[] n, @Write double[] b) {
        double[] s = new double[n[0]]; // TRL020
        double[] t; // TRL020
        double[][] u = new double[2][]; // TRL020
        double[][] v = {{1.0}, {2.0, 3.0}}; // TRL020
        int[] w = new int[0]; // TRL020
        boolean[] x = {true}; // TRL020
        b[0] = 1.0;
    }

    private Bad() {}
}
