package corpus.trl026;

import org.trellis.kernel.*;

/** Breaks the rule of TRL026. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) int[] a, @Read double[] x, @Write(2) int[] b) {
        b[0] = a[0] / a[1]; // TRL026
        b[1] = a[0];
        b[1] %= a[1]; // TRL026
        b[1] += (int) (x[0] % 2.0); // TRL026
    }

    private Bad() {}
}
