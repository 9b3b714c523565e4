package corpus.trl026;

import org.trellis.kernel.*;

/** Keeps the rule of TRL026. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) int[] a, @Read double[] x, @Write(2) int[] b) {
        b[0] = a[0] / 3;
        b[1] = a[0];
        for (int k = 1; k < 3; k++) {
            b[1] %= k + 1;
        }
        b[1] += (int) (x[0] / 2.0);
    }

    private Good() {}
}
