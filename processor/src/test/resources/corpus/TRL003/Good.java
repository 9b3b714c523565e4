package corpus.trl003;

import org.trellis.kernel.*;

/** Keeps the rule of TRL003. */
final class Good {
    @MeshKernel
    static void kernel(@Read double[] a,
            @Write double[] b) {
        b[0] = a[0];
    }

    private Good() {}
}
