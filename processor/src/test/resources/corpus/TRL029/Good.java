package corpus.trl029;

import org.trellis.kernel.*;

/** Keeps the rule of TRL029. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        b[0] = 1.0;
    }
    @MeshKernel
    static void kernel2(@Write double[] a) {
        a[0] = 1.0;
    }

    private Good() {}
}
