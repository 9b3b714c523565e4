package corpus.trl014;

import org.trellis.kernel.*;

/** Keeps the rule of TRL014. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        double x = a[0];
        b[0] = x;
    }

    private Good() {}
}
