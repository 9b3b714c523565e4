package corpus.trl001;

import org.trellis.kernel.*;

/** Breaks the rule of TRL001. */
final class Bad {
    @MeshKernel
    void kernel(@Write double[] a) { // TRL001
        a[0] = 1.0;
    }
    @MeshKernel
    private static void hidden(@Write double[] a) { // TRL001
        a[0] = 1.0;
    }
    @KernelFunction
    static <T> double generic(double a) { // TRL001
        return a;
    }

    private Bad() {}
}
