package corpus.trl018;

import org.trellis.kernel.*;

/** Breaks the rule of TRL018. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        b[0] = Math.random(); // TRL018
        b[0] += other(a[0]); // TRL018
        System.gc(); // TRL018
    }
    static double other(double x) {
        return x;
    }

    private Bad() {}
}
