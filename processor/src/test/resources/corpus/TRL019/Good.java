package corpus.trl019;

import org.trellis.kernel.*;

/** Keeps the rule of TRL019. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        b[0] = down(a[0]);
    }
    @KernelFunction
    static double down(double x) {
        return x > 1.0 ? up(x) : x;
    }
    @KernelFunction
    static double up(double x) {
        return x - 1.0;
    }

    private Good() {}
}
