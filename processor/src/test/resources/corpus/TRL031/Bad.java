package corpus.trl031;

import org.trellis.kernel.*;

/** Breaks the rule of TRL031. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        for (int i = 0; i < 2; i++) {
            i += 1; // TRL031
        }
        b[0] = 1.0;
    }

    private Bad() {}
}
