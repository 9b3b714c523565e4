package corpus.trl016;

import org.trellis.kernel.*;

/** Keeps the rule of TRL016. */
final class Good {
    static final int SIZE = 8;
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Read int[] n, @Write double[] b) {
        double s = 0.0;
        for (int i = 0; i < 4; i++) {
            if (i < n[0]) {
                s += a[0];
            }
        }
        for (int i = SIZE; i >= 0; i -= 2) {
            s += a[1];
        }
        b[0] = s;
    }

    private Good() {}
}
