package corpus.trl007;

import org.trellis.kernel.*;

/** Breaks the rule of TRL007. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Constant double g, @GlobalRead double[] h, @Write double[] b) {
        a[0] = 1.0; // TRL007
        g = 2.0; // TRL007
        h[0] += 1.0; // TRL007
        clear(a);
        b[0] = 1.0;
    }
    @KernelFunction
    static void clear(double[] x) {
        x[1] = 0.0; // TRL007
    }

    private Bad() {}
}
