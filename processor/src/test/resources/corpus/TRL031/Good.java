package corpus.trl031;

import org.trellis.kernel.*;

/** Keeps the rule of TRL031. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        for (int i = 0; i < 2; i += 1) {
            int j = i;
            j += 1;
            b[0] = j;
        }
    }

    private Good() {}
}
