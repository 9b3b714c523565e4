package corpus.trl005;

import org.trellis.kernel.*;

/** Breaks the rule of TRL005. */
final class Bad {
    @MeshKernel
    static void kernel(
            @Read(2) float[] a, // TRL005
            @Read(value = 2, entries = 3) double[] b, // TRL005
            @Sum double c, // TRL005
            @Constant(2) double d) // TRL005
     {
        // Nothing.
    }

    private Bad() {}
}
