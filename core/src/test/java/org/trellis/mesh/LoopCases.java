package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.testing.InterpretedKernel;

/** A random mesh with a loop of every kind. Two made with the same seed have the same values. */
public final class LoopCases implements AutoCloseable {
    private static final LoopKernel NOTHING = InterpretedKernel.named("nothing").dat(Access.INCREMENT, 1)
            .dat(Access.INCREMENT, 1).global(Access.SUM, 1).cuda("").does(v -> {});

    private final Mesh mesh;
    private final long seed;
    private final List<MeshSet> sets;
    private final List<ParallelLoop> loops = new ArrayList<>();
    private final List<Global> globals = new ArrayList<>();

    /**
     * Makes a mesh and its loops.
     *
     * @param backend   where they run
     * @param options   the options of the mesh
     * @param size      elements and targets
     * @param precision the precision of the dats
     * @param seed      decides about maps and values
     */
    @MustBeClosed
    public LoopCases(Backend backend, MeshOptions options, int[] size, Precision precision, long seed) {
        this(backend, options, size, precision, seed, Tables.random(size, new SplittableRandom(seed)));
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    LoopCases(Backend backend, MeshOptions options, int[] size, Precision precision, long seed, Tables tables) {
        this(Mesh.on(backend, options), size, precision, seed, tables);
    }

    /**
     * Makes the loops on a mesh.
     *
     * @param mesh      an empty mesh, closed with this
     * @param size      elements and targets
     * @param precision the precision of the dats
     * @param seed      decides about maps and values
     */
    public LoopCases(Mesh mesh, int[] size, Precision precision, long seed) {
        this(mesh, size, precision, seed, Tables.random(size, new SplittableRandom(seed)));
    }

    private LoopCases(Mesh mesh, int[] size, Precision precision, long seed, Tables tables) {
        this.mesh = mesh;
        this.seed = seed;
        MeshSet edges = mesh.set("edges", size[0]);
        MeshSet nodes = mesh.set("nodes", size[1]);
        sets = List.of(edges, nodes);
        MeshMap ends = mesh.map("ends", edges, nodes, 2, tables.ends());
        MeshMap corners = mesh.map("corners", edges, nodes, 3, tables.corners());
        MeshMap next = mesh.map("next", edges, edges, 1, tables.next());
        MeshMap row = mesh.map("row", edges, nodes, tables.offsets(), tables.row());
        Dat weight = mesh.dat("weight", edges, 1, precision);
        Dat x = mesh.dat("x", nodes, 2, precision);
        Dat flux = mesh.dat("flux", nodes, 2, precision);
        Dat sum = mesh.dat("sum", nodes, 3, precision);
        Dat state = mesh.dat("state", edges, 3, precision);
        Dat out = mesh.dat("out", edges, 1, precision);
        Dat mark = mesh.intDat("mark", edges, 1);
        Dat count = mesh.intDat("count", nodes, 1);
        globals.add(mesh.global("two", 1, 2));
        for (String name : List.of("total", "least", "greatest")) {
            globals.add(mesh.global(name, 0));
            globals.add(mesh.intGlobal(name + "Int", 0));
        }
        loops.add(
                mesh.loop(CaseKernelsLoops.FLUX, edges, x.at(ends, 0), x.at(ends, 1), weight, mesh.constant("scale", 3),
                        flux.at(ends, 0), flux.at(ends, 1)));
        loops.add(mesh.loop(CaseKernelsLoops.SPREAD, edges, weight, x.at(corners), sum.at(corners)));
        loops.add(mesh.loop(CaseKernelsLoops.ROWS, edges, weight, x.at(row), flux.at(row)));
        loops.add(mesh.loop(CaseKernelsLoops.UPDATE, edges, weight, state, out, globals.get(0), globals.get(1),
                globals.get(3),
                globals.get(5)));
        loops.add(
                mesh.loop(CaseKernelsLoops.WHOLE, edges, mark, count.at(ends, 1), count.at(corners, 0), globals.get(2),
                        globals.get(4), globals.get(6)));
        loops.add(mesh.loop(CaseKernelsLoops.OWN, edges, out, out.at(next)));
        loops.add(mesh.loop(CaseKernelsLoops.PULL, edges, x.at(ends, 1), out));
    }

    /** The targets of the mesh's maps. */
    record Tables(int[] ends, int[] corners, int[] next, int[] offsets, int[] row) {
        static Tables random(int[] size, SplittableRandom random) {
            int[] ends = RandomMesh.table(size[0], 2, size[1], random);
            int[] corners = RandomMesh.table(size[0], 3, size[1], random);
            int[] next = RandomMesh.table(size[0], 1, size[0], random);
            int[] offsets = size[1] == 0 ? new int[size[0] + 1] : RandomMesh.offsets(size[0], random);
            return new Tables(ends, corners, next, offsets,
                    RandomMesh.table(offsets[size[0]], 1, size[1], random));
        }

        void give(MeshChange change, Mesh mesh) {
            List<MeshMap> maps = mesh.maps();
            change.targets(maps.get(0), ends).targets(maps.get(1), corners).targets(maps.get(2), next)
                    .targets(maps.get(3), offsets, row);
        }
    }

    /** A loop over many elements whose kernel does nothing, so that only the runtime could allocate. */
    static ParallelLoop silentLoop(Mesh mesh) {
        MeshSet edges = mesh.set("edges", 40);
        MeshSet nodes = mesh.set("nodes", 41);
        int[] table = new int[80];
        for (int e = 0; e < 40; e++) {
            table[2 * e] = e;
            table[2 * e + 1] = e + 1;
        }
        MeshMap ends = mesh.map("ends", edges, nodes, 2, table);
        Dat dat = mesh.dat("dat", nodes, 1, Precision.F64);
        return mesh.loop(new SilentKernel(NOTHING.signature(), NOTHING.cudaSource()), edges, dat.at(ends, 0),
                dat.at(ends, 1),
                mesh.global("sum", 0));
    }

    /**
     * Returns the mesh.
     *
     * @return the mesh of the loops
     */
    public Mesh mesh() {
        return mesh;
    }

    List<MeshSet> sets() {
        return sets;
    }

    /**
     * Returns the loops.
     *
     * @return one of every kind
     */
    public List<ParallelLoop> loops() {
        return loops;
    }

    /** Gives all dats and globals the values of the beginning, whole numbers. */
    public void restart() {
        fill(1);
    }

    /** Gives all dats and globals the values of the beginning, real ones a third of what they usually get. */
    public void restartWithFractions() {
        fill(1.0 / 3);
    }

    private void fill(double factor) {
        SplittableRandom random = new SplittableRandom(seed);
        for (Dat dat : mesh.dats()) {
            double[] values = RandomMesh.values(dat.set().size() * dat.components(), random);
            for (int i = 0; i < values.length && dat.type().real(); i++) {
                values[i] *= factor;
            }
            dat.setAll(values);
        }
        for (Global global : globals.subList(1, globals.size())) {
            global.set(7);
        }
    }

    /**
     * Returns what loops may have changed.
     *
     * @return the values of all dats, then those of all globals
     */
    public List<double[]> values() {
        List<double[]> values = new ArrayList<>();
        mesh.dats().forEach(dat -> values.add(dat.toArray()));
        globals.forEach(global -> values.add(new double[]{global.get()}));
        return values;
    }

    /**
     * Fails unless another case has the same values.
     *
     * @param other   the other case
     * @param context for the message
     */
    public void requireSame(LoopCases other, String context) {
        List<double[]> mine = values();
        List<double[]> others = other.values();
        for (int i = 0; i < mine.size(); i++) {
            String name = i < mesh.dats().size() ? mesh.dats().get(i).toString() : "global " + i;
            assertArrayEquals(mine.get(i), others.get(i), context + ": " + name);
        }
    }

    @Override
    public void close() {
        mesh.close();
    }
}
