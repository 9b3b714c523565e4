package corpus.trl013;

import org.trellis.kernel.*;

/** Breaks the rule of TRL013. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        float x = 1.0f; // TRL013
        long n = 2; // TRL013
        String s = ""; // TRL013
        b[0] = (float) a[0]; // TRL013
        b[0] = a[0] * 3L; // TRL013
    }

    private Bad() {}
}
