package corpus.trl022;

import org.trellis.kernel.*;

/** Keeps the rule of TRL022. */
final class Good {
    static final double FACTOR = (double) 1.4f - 1;
    /** Constants. */
    static final class Inner {
        static final double HALF = FACTOR / 2;
    }
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        b[0] = FACTOR * Math.PI + Integer.MAX_VALUE + Inner.HALF + Good.FACTOR;
        b[0] *= org.trellis.kernel.ArgumentSignature.VARIABLE;
    }

    private Good() {}
}
