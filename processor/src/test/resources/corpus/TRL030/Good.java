package corpus.trl030;

import org.trellis.kernel.*;

/** Keeps the rule of TRL030. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        double x;
        x = 1.0;
        b[0] = x;
        int i = 0;
        b[0] = i;
        i++;
        --i;
        x += 2.0;
        b[0] += x + i;
    }

    private Good() {}
}
