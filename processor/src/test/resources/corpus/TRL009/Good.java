package corpus.trl009;

import org.trellis.kernel.*;

/** Keeps the rule of TRL009. */
final class Good {
    @MeshKernel
    static void kernel(@Read double[] a, @Min double[] b, @Max int[] c) {
        b[0] = Math.min(b[0], a[0]);
        b[0] = Math.min(2.0 * a[0], b[0]);
        c[0] = Math.max(c[0], 3);
    }

    private Good() {}
}
