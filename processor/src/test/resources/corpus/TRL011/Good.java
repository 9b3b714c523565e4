package corpus.trl011;

import org.trellis.kernel.*;

/** Keeps the rule of TRL011. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Constant(3) Raster r, @Write(1) double[] b) {
        double[] t = new double[3];
        t[2] = r.linear(2, a[0], a[1]);
        for (int i = 0; i < 2; i++) {
            t[i] = a[1 - i];
        }
        b[0] = t[0] + t[1] + t[2];
    }

    private Good() {}
}
