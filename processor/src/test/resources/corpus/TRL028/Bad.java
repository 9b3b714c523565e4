package corpus.trl028;

import org.trellis.kernel.*;

/** Breaks the rule of TRL028. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        double[] t = new double[100];
        for (int i = 0; i < 100; i++) {
            for (int j = 0; j < 100; j++) {
                t[i] += a[0] * t[j]; // TRL028
            }
        }
        b[0] = t[0];
    }

    private Bad() {}
}
