package corpus.trl014;

import org.trellis.kernel.*;

/** Breaks the rule of TRL014. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        var x = a[0]; // TRL014
        b[0] = 1.0;
    }

    private Bad() {}
}
