package corpus.trl027;

import org.trellis.kernel.*;

/** Keeps the rule of TRL027. */
final class Good {
    @MeshKernel
    static void kernel(@Read(value = 2, entries = 2) double[][] a, @Write(1) double[] b) {
        double[] c = {a[0][0], a[0][1]};
        b[0] = half(c) + half(a[1]) + half((c));
    }
    @KernelFunction
    static double half(double[] x) {
        return x[0] / 2;
    }

    private Good() {}
}
