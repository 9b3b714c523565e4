package corpus.trl013;

import org.trellis.kernel.*;

/** Keeps the rule of TRL013. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        double x = 1.0f;
        int n = 2;
        b[0] = (int) a[0] * x + (double) n + (float) 1.0;
    }

    private Good() {}
}
