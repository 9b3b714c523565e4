package corpus.trl006;

import org.trellis.kernel.*;

/** Breaks the rule of TRL006. */
final class Bad {
    @MeshKernel
    static void kernel(
            @Read(0) double[] a, // TRL006
            @Read(value = 1, entries = -2) double[][] b, // TRL006
            @Increment(sign = 2) double[] c) // TRL006
     {
        // Nothing.
    }

    private Bad() {}
}
