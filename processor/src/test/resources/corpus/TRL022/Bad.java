package corpus.trl022;

import org.trellis.kernel.*;

/** Breaks the rule of TRL022. */
final class Bad {
    static double mutable = 1.0;
    static final double ROOT = Math.sqrt(2.0);
    static final double[] TABLE = {1.0};
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        b[0] = mutable; // TRL022
        b[0] = ROOT; // TRL022
        b[0] = TABLE[0]; // TRL022
        b[0] = Bad.this.hashCode(); // TRL018
        mutable = 2.0; // TRL022
    }

    private Bad() {}
}
