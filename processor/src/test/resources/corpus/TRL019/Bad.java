package corpus.trl019;

import org.trellis.kernel.*;

/** Breaks the rule of TRL019. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        b[0] = down(a[0]);
    }
    @KernelFunction
    static double down(double x) { // TRL019
        return x > 1.0 ? up(x) : x;
    }
    @KernelFunction
    static double up(double x) { // TRL019
        return down(x - 1.0);
    }

    private Bad() {}
}
