package corpus.trl003;

import org.trellis.kernel.*;

/** Breaks the rule of TRL003. */
final class Bad {
    @MeshKernel
    static void kernel(@Read double[] a,
            double[] b) // TRL003
    {
        // Nothing.
    }

    private Bad() {}
}
