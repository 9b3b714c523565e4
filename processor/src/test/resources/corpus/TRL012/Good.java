package corpus.trl012;

import org.trellis.kernel.*;

/** Keeps the rule of TRL012. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Read int[] i, @Write double[] b,
            @Read(value = 1, entries = -1) double[][] x) {
        b[0] = i[0] == 0 ? a[0] : a[1];
        for (int k = 0; k < x.length; k++) {
            b[0] += x[k][0];
        }
    }

    private Good() {}
}
