package corpus.trl011;

import org.trellis.kernel.*;

/** Breaks the rule of TRL011. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Constant(3) Raster r, @Write(1) double[] b) {
        double[] t = new double[3];
        t[3] = 1.0; // TRL011
        for (int i = 0; i <= 2; i++) {
            t[i] = a[i]; // TRL011
        }
        t[0] = r.linear(3, a[0], a[1]); // TRL011
        b[0] = a[-1]; // TRL011
    }

    private Bad() {}
}
