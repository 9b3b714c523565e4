package corpus.trl012;

import org.trellis.kernel.*;

/** Breaks the rule of TRL012. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Read int[] i, @Write double[] b,
            @Read(value = 1, entries = -1) double[][] x) {
        b[0] = a[i[0]]; // TRL012
        b[0] += x[0][0]; // TRL012
    }

    private Bad() {}
}
