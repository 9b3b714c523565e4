package corpus.trl027;

import org.trellis.kernel.*;

/** Breaks the rule of TRL027. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        double[] c = a; // TRL027
        double d = half(a) + half(a[0] > 1.0 ? a : a); // TRL027
        a = new double[2]; // TRL027
        b[0] = 1.0;
    }
    @KernelFunction
    static double half(double[] x) {
        return x[0] / 2;
    }

    private Bad() {}
}
