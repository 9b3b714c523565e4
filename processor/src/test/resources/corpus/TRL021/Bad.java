package corpus.trl021;

import org.trellis.kernel.*;

/** Breaks the rule of TRL021. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        if (a[0] > 1.0) {
            return; // TRL021
        }
        b[0] = abs(a[0]);
    }
    @KernelFunction
    static double abs(double x) {
        if (x < 0.0) { // TRL021
            return -x; // TRL021
        } else {
            return x; // TRL021
        }
    }

    private Bad() {}
}
