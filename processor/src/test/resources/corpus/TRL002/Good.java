package corpus.trl002;

import org.trellis.kernel.*;

/** Keeps the rule of TRL002. */
final class Good {
    @MeshKernel
    static void kernel(@Read double[] a, @Write double[] b) {
        b[0] = positive(a[0]) ? a[0] : -a[0];
    }
    @KernelFunction
    static boolean positive(double a) {
        return a > 0;
    }

    private Good() {}
}
