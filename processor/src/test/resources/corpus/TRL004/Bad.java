package corpus.trl004;

import org.trellis.kernel.*;

/** Breaks the rule of TRL004. */
final class Bad {
    @MeshKernel
    static void kernel(
            @Read @Write double[] a) // TRL004
    {
        // Nothing.
    }

    private Bad() {}
}
