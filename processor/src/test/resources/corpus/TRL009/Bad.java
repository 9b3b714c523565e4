package corpus.trl009;

import org.trellis.kernel.*;

/** Breaks the rule of TRL009. */
final class Bad {
    @MeshKernel
    static void kernel(@Read double[] a, @Min double[] b, @Max int[] c) {
        b[0] = a[0]; // TRL009
        b[0] = Math.max(b[0], a[0]); // TRL009
        b[0] = Math.min(b[0], b[0]); // TRL009
        c[0]++; // TRL009
        double x = b[0]; // TRL009
    }

    private Bad() {}
}
