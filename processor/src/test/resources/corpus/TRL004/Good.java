package corpus.trl004;

import org.trellis.kernel.*;

/** Keeps the rule of TRL004. */
final class Good {
    @MeshKernel
    static void kernel(
            @ReadWrite double[] a) {
        a[0] += 1;
    }

    private Good() {}
}
