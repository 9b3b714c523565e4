package corpus.trl023;

import org.trellis.kernel.*;

/** Breaks the rule of TRL023. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        int i = a[0]; // TRL023
        i += 0.5; // TRL023
        boolean c = 1; // TRL023
        b[0] = c; // TRL023
        if (i) { // TRL023
            i = 1;
        }
        b[0] = a[0] & 1; // TRL023
        b[0] = !a[0]; // TRL023
        b[0] = half(c); // TRL023
        b[0] = half(i, i); // TRL023
    }
    @KernelFunction
    static double half(double x) {
        return x / 2;
    }

    private Bad() {}
}
