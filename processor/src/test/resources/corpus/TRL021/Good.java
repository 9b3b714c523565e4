package corpus.trl021;

import org.trellis.kernel.*;

/** Keeps the rule of TRL021. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        b[0] = abs(a[0]);
        return;
    }
    @KernelFunction
    static double abs(double x) {
        double y = x;
        if (x < 0.0) {
            y = -x;
        }
        return y;
    }

    private Good() {}
}
