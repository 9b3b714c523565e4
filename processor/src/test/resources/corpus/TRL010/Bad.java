package corpus.trl010;

import org.trellis.kernel.*;

/** Breaks the rule of TRL010. */
final class Bad {
    @MeshKernel
    static void kernel(@Read double[] a,
            @Write(2) double[] b, // TRL010
            @Write double[] c) {
        c[0] += 1.0; // TRL010
        if (a[0] > 0.0) {
            b[0] = 1.0;
        }
        b[1] = 1.0;
    }

    private Bad() {}
}
