package corpus.trl028;

import org.trellis.kernel.*;

/** Keeps the rule of TRL028. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        double t = 0.0;
        for (int i = 0; i < 100; i++) {
            for (int j = 0; j < 100; j++) {
                t += a[0] * t + i * j;
            }
        }
        b[0] = t;
    }

    private Good() {}
}
