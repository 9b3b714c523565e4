package corpus.trl018;

import org.trellis.kernel.*;

/** Keeps the rule of TRL018. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        b[0] = Math.sqrt(a[0]) + java.lang.Math.sin(a[1]);
        b[0] += other(a[0]);
    }
    @KernelFunction
    static double other(double x) {
        return x;
    }

    private Good() {}
}
