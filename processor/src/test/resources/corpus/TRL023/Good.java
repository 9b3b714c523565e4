package corpus.trl023;

import org.trellis.kernel.*;

/** Keeps the rule of TRL023. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        int i = (int) a[0];
        i += (int) 0.5;
        boolean c = i == 1;
        b[0] = c ? 1 : 0.5;
        if (c & i > 0) {
            i = i & 1;
        }
        b[0] += i + half(i);
    }
    @KernelFunction
    static double half(double x) {
        return x / 2;
    }

    private Good() {}
}
