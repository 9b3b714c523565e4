package corpus.trl015;

import org.trellis.kernel.*;

/** Breaks the rule of TRL015. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        int i = 0;
        while (i < 2) { // TRL015
            i++;
        }
        do { // TRL015
            i++;
        } while (i < 4);
        switch (i) { // TRL015
            default:
        }
        for (int k = 0; k < 2; k++) {
            break; // TRL015
        }
        try { // TRL015
            i++;
        } finally {
            i--;
        }
        b[0] = 1.0;
    }

    private Bad() {}
}
