package corpus.trl017;

import org.trellis.kernel.*;

/** Keeps the rule of TRL017. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        b[0] = a[0] > 1.0 ? 2.0 : 3.0;
        boolean c = a[0] == 1.0;
        b[0] = c ? b[0] : a[1];
    }

    private Good() {}
}
