package corpus.trl001;

import org.trellis.kernel.*;

/** Keeps the rule of TRL001. */
final class Good {
    @MeshKernel
    static void kernel(@Write double[] a) {
        a[0] = 1.0;
    }
    @KernelFunction
    private static double plain(double a) {
        return a;
    }

    private Good() {}
}
