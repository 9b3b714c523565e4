package corpus.trl002;

import org.trellis.kernel.*;

/** Breaks the rule of TRL002. */
final class Bad {
    @MeshKernel
    static double kernel(@Read double[] a) { // TRL002
        return a[0];
    }
    @KernelFunction
    static float narrow(double a) { // TRL002
        return 1.0f;
    }

    private Bad() {}
}
