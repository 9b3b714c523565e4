package corpus.trl030;

import org.trellis.kernel.*;

/** Breaks the rule of TRL030. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        double x;
        b[0] = x = 1.0; // TRL030
        int i = 0;
        b[0] = i++; // TRL030
        b[0] = (x += 2.0); // TRL030
    }

    private Bad() {}
}
