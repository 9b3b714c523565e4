package corpus.trl007;

import org.trellis.kernel.*;

/** Keeps the rule of TRL007. */
final class Good {
    @MeshKernel
    static void kernel(@ReadWrite(2) double[] a, @Constant double g, @GlobalRead double[] h) {
        a[0] = g;
        double own = h[0];
        own += 1.0;
        clear(a);
        a[0] += own;
    }
    @KernelFunction
    static void clear(double[] x) {
        x[1] = 0.0;
    }

    private Good() {}
}
