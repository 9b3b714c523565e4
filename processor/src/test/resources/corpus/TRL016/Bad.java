package corpus.trl016;

import org.trellis.kernel.*;

/** Breaks the rule of TRL016. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Read int[] n, @Write double[] b) {
        double s = 0.0;
        for (int i = 0; i < n[0]; i++) { // TRL016
            s += a[0];
        }
        for (int i = n[0]; i < 2; i++) { // TRL016
            s += a[1];
        }
        for (int i = 0; i < 2; i *= 2) { // TRL016
            s += a[1];
        }
        for (;;) { // TRL016
            s += 1.0;
        }
    }

    private Bad() {}
}
