package corpus.trl015;

import org.trellis.kernel.*;

/** Keeps the rule of TRL015. */
final class Good {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        int i = 0;
        for (int k = 0; k < 2; k++) {
            i++;
        }
        {
            i--;
        }
        ;
        b[0] = i;
    }

    private Good() {}
}
