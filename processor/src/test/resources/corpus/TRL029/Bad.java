package corpus.trl029;

import org.trellis.kernel.*;

/** Breaks the rule of TRL029. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        b[0] = 1.0;
    }
    @MeshKernel
    static void kernel(@Write double[] a) { // TRL029
        a[0] = 1.0;
    }

    private Bad() {}
}
