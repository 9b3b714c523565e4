package corpus.trl017;

import org.trellis.kernel.*;

/** Breaks the rule of TRL017. */
final class Bad {
    @MeshKernel
    static void kernel(@Read(2) double[] a, @Write(1) double[] b) {
        java.util.function.DoubleSupplier f = () -> 1.0; // TRL013
        b[0] = (switch (1) { default -> 2.0; }); // TRL017
        b[0] = new double[] {1.0}[0]; // TRL022
        boolean c = a instanceof Object; // TRL017
    }

    private Bad() {}
}
