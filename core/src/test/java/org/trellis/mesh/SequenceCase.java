package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.testing.InterpretedKernel;

/**
 * A sequence of loops on a ring of edges, in which loops read what others have reduced, a loop occurs several times, a
 * global is set in between, and two reductions add up. Elements have 32 bytes in either precision.
 */
public final class SequenceCase implements AutoCloseable {
    private static final int NODES = 301;

    private final Precision precision;
    private final Mesh mesh;
    private final Global factor;
    private final Global total;
    private final Global least;
    private final List<ParallelLoop> loops;
    private final LoopSequence sequence;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    SequenceCase(Backend backend, MeshOptions options, Precision precision) {
        this(Mesh.on(backend, options), precision, 0);
    }

    /**
     * Declares the loops.
     *
     * @param mesh      an empty mesh, perhaps over ranks; closed with this
     * @param precision of the dats
     * @param rings     of the sequence; 0 for an exchange for each loop
     */
    @MustBeClosed
    public SequenceCase(Mesh mesh, Precision precision, int rings) {
        this.precision = precision;
        this.mesh = mesh;
        int width = 32 / precision.bytes();
        MeshSet nodes = mesh.set("nodes", NODES);
        MeshSet edges = mesh.set("edges", NODES);
        int[] table = new int[2 * NODES];
        double[] values = new double[NODES * width];
        for (int e = 0; e < NODES; e++) {
            table[2 * e] = e;
            table[2 * e + 1] = (e + 1) % NODES;
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.sin(i);
        }
        MeshMap ends = mesh.map("ends", edges, nodes, 2, table);
        Dat value = mesh.dat("value", nodes, width, precision, values);
        Dat old = mesh.dat("old", nodes, width, precision);
        Dat gain = mesh.dat("gain", nodes, width, precision);
        factor = mesh.global("factor", 0.25);
        total = mesh.global("total", 0);
        least = mesh.global("least", 100);
        ParallelLoop save = mesh.loop(save(width), nodes, value, old);
        ParallelLoop spread =
                mesh.loop(spread(width), edges, value.at(ends, 0), value.at(ends, 1), gain.at(ends, 0),
                        gain.at(ends, 1));
        ParallelLoop measure = mesh.loop(measure(width), nodes, value, total, least);
        ParallelLoop apply = mesh.loop(apply(width), nodes, old, value, gain, factor, total);
        loops = List.of(save, spread, measure, apply);
        LoopSequence.Builder steps = mesh.sequence("test");
        if (rings > 0) {
            steps.rings(rings);
        }
        sequence = steps.run(save).set(total, 0).run(spread).run(measure).run(apply).run(spread)
                .set(total, 1).run(measure).run(apply).run(measure).build();
    }

    private static LoopKernel save(int width) {
        return InterpretedKernel.named("save").dat(Access.READ, width).dat(Access.WRITE, width)
                .cuda(each(width, "p1[c] = p0[c];")).does(v -> {
                    System.arraycopy((double[]) v[0], 0, (double[]) v[1], 0, width);
                });
    }

    private static LoopKernel spread(int width) {
        return InterpretedKernel.named("spread").dat(Access.READ, width).dat(Access.READ, width)
                .dat(Access.INCREMENT, width).repeated(width, 2, -1)
                .cuda(each(width, "REAL f = p1[c] - p0[c]; p2[c] += f; p3[c] -= f;")).does(v -> {
                    for (int c = 0; c < width; c++) {
                        double flow = ((double[]) v[1])[c] - ((double[]) v[0])[c];
                        ((double[]) v[2])[c] += flow;
                        ((double[]) v[3])[c] -= flow;
                    }
                });
    }

    private static LoopKernel measure(int width) {
        return InterpretedKernel.named("measure").dat(Access.READ, width).global(Access.SUM, 1).global(Access.MIN, 1)
                .cuda("p1[0] += p0[0]; p2[0] = p0[1] < p2[0] ? p0[1] : p2[0];\n").does(v -> {
                    double[] value = (double[]) v[0];
                    ((double[]) v[1])[0] += value[0];
                    ((double[]) v[2])[0] = Math.min(((double[]) v[2])[0], value[1]);
                });
    }

    private static LoopKernel apply(int width) {
        return InterpretedKernel.named("apply").dat(Access.READ, width).dat(Access.WRITE, width)
                .dat(Access.READ_WRITE, width).global(Access.READ, 1).global(Access.READ, 1)
                .cuda(each(width, "p1[c] = p0[c] + p3[0] * p2[c] + (REAL) 1e-3 * p4[0]; p2[c] = 0;")).does(v -> {
                    for (int c = 0; c < width; c++) {
                        ((double[]) v[1])[c] = ((double[]) v[0])[c] + ((double[]) v[3])[0] * ((double[]) v[2])[c]
                                + 1e-3 * ((double[]) v[4])[0];
                        ((double[]) v[2])[c] = 0;
                    }
                });
    }

    private static String each(int width, String statements) {
        return "for (int c = 0; c < " + width + "; c++) { " + statements + " }\n";
    }

    Mesh mesh() {
        return mesh;
    }

    /**
     * Returns the sequence.
     *
     * @return the same each time
     */
    public LoopSequence sequence() {
        return sequence;
    }

    List<ParallelLoop> loops() {
        return loops;
    }

    /**
     * Returns a global that loops read.
     *
     * @return the same each time
     */
    public Global factor() {
        return factor;
    }

    Global total() {
        return total;
    }

    Global least() {
        return least;
    }

    /**
     * Compares all values; called by all ranks.
     *
     * @param other   the same program after as many runs
     * @param context words for messages
     */
    public void requireSame(SequenceCase other, String context) {
        double tolerance = precision == Precision.F64 ? 1e-12 : 1e-4;
        assertEquals(total.get(), other.total.get(), tolerance * Math.max(1, Math.abs(total.get())),
                context + ": total");
        assertEquals(least.get(), other.least.get(), tolerance, context + ": least");
        for (int i = 0; i < mesh.dats().size(); i++) {
            assertArrayEquals(mesh.dats().get(i).toArray(), other.mesh.dats().get(i).toArray(), tolerance,
                    context + ": " + mesh.dats().get(i));
        }
    }

    @Override
    public void close() {
        mesh.close();
    }
}
