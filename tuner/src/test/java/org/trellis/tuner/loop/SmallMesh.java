package org.trellis.tuner.loop;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.testing.InterpretedKernel;

/** A random mesh with a loop that adds through a map and one that does not; whole numbers, so that sums are exact. */
final class SmallMesh implements AutoCloseable {
    private static final LoopKernel FLUX = InterpretedKernel.named("flux").dat(Access.READ, 1).dat(Access.READ, 2)
            .dat(Access.READ, 2).dat(Access.INCREMENT, 2).repeated(2, 3, -1).does(v -> {
                double weight = ((double[]) v[0])[0];
                for (int c = 0; c < 2; c++) {
                    double flux = weight * (((double[]) v[1])[c] - ((double[]) v[2])[c]);
                    ((double[]) v[3])[c] += flux;
                    ((double[]) v[4])[c] -= flux;
                }
            });
    private static final LoopKernel STEP = InterpretedKernel.named("step").dat(Access.READ_WRITE, 2)
            .dat(Access.READ_WRITE, 2).global(Access.SUM, 1).does(v -> {
                for (int c = 0; c < 2; c++) {
                    double[] sum = (double[]) v[1];
                    // Keeps numbers small, and whole.
                    ((double[]) v[0])[c] = (((double[]) v[0])[c] + sum[c]) % 64;
                    ((double[]) v[2])[0] += sum[c];
                    sum[c] = 0;
                }
            });

    private final Mesh mesh;
    private final MeshSet edges;
    private final Dat state;
    private final Dat sum;
    private final Global total;
    private final ParallelLoop flux;
    private final ParallelLoop step;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    SmallMesh(Backend backend, MeshOptions options, int edgeCount, int nodeCount, Precision precision, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        mesh = Mesh.on(backend, options);
        edges = mesh.set("edges", edgeCount);
        MeshSet nodes = mesh.set("nodes", nodeCount);
        int[] table = new int[2 * edgeCount];
        for (int i = 0; i < table.length; i++) {
            table[i] = (int) Math.min(nodeCount - 1L, (long) (i / 2) * nodeCount / edgeCount + random.nextInt(3));
        }
        MeshMap ends = mesh.map("ends", edges, nodes, 2, table);
        Dat weight = mesh.dat("weight", edges, 1, precision, whole(edgeCount, random));
        state = mesh.dat("state", nodes, 2, precision, whole(2 * nodeCount, random));
        sum = mesh.dat("sum", nodes, 2, precision);
        total = mesh.global("total", 0.0);
        flux = mesh.loop(FLUX, edges, weight, state.at(ends, 0), state.at(ends, 1), sum.at(ends, 0), sum.at(ends, 1));
        step = mesh.loop(STEP, nodes, state, sum, total);
    }

    private static double[] whole(int count, SplittableRandom random) {
        return random.ints(count, -3, 4).asDoubleStream().toArray();
    }

    /** Two threads of a backend of the host. */
    @MustBeClosed
    static Backend open(String name) {
        return Backends.open(name, Configuration.builder().set(ConfigurationKeys.THREADS, 2).build());
    }

    Mesh mesh() {
        return mesh;
    }

    MeshSet edges() {
        return edges;
    }

    Dat state() {
        return state;
    }

    ParallelLoop flux() {
        return flux;
    }

    ParallelLoop step() {
        return step;
    }

    void iterate() {
        total.set(0);
        flux.run();
        step.run();
    }

    List<double[]> values() {
        List<double[]> values = new ArrayList<>(List.of(state.toArray(), sum.toArray()));
        values.add(new double[]{total.get()});
        return values;
    }

    @Override
    public void close() {
        mesh.close();
    }
}
