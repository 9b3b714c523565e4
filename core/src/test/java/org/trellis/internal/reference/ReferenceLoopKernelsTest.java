package org.trellis.internal.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.KernelSignature;
import org.trellis.kernel.LoopKernel;
import org.trellis.kernel.LoopShape;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopKernelsContract;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.testing.InterpretedKernel;

/** The reference loops on a mesh small enough to work out by hand: a path of four nodes. */
final class ReferenceLoopKernelsTest extends LoopKernelsContract {
    @Override
    protected Backend openBackend() {
        return new ReferenceBackend();
    }

    @Test
    void addsAlongAPath() {
        LoopKernel kernel = InterpretedKernel.named("add").dat(Access.READ, 1).dat(Access.INCREMENT, 1)
                .dat(Access.INCREMENT, 1).global(Access.MAX, 1).does(v -> {
                    double weight = ((double[]) v[0])[0];
                    ((double[]) v[1])[0] += weight;
                    ((double[]) v[2])[0] -= 2 * weight;
                    ((double[]) v[3])[0] = Math.max(((double[]) v[3])[0], weight);
                });
        try (Backend backend = openBackend(); Mesh mesh = Mesh.on(backend)) {
            MeshSet nodes = mesh.set("nodes", 4);
            MeshSet edges = mesh.set("edges", 3);
            MeshMap ends = mesh.map("ends", edges, nodes, 2, new int[]{0, 1, 1, 2, 2, 3});
            Dat weight = mesh.dat("weight", edges, 1, Precision.F64, new double[]{1, 10, 100});
            Dat sum = mesh.dat("sum", nodes, 1, Precision.F64, new double[]{0, 0, 0, 5});
            Global most = mesh.global("most", 50);
            mesh.loop(kernel, edges, weight, sum.at(ends, 0), sum.at(ends, 1), most).run();
            assertArrayEquals(new double[]{1, 10 - 2, 100 - 20, 5 - 200}, sum.toArray());
            assertEquals(100, most.get());
        }
    }

    @Test
    void readsRowsOfEveryLength() {
        LoopKernel kernel = InterpretedKernel.named("row").dat(Access.READ, 2, ArgumentSignature.VARIABLE)
                .dat(Access.WRITE, 1).does(v -> {
                    double sum = 0;
                    for (double[] entry : (double[][]) v[0]) {
                        sum += entry[0] * entry[1];
                    }
                    ((double[]) v[1])[0] = sum;
                });
        try (Backend backend = openBackend(); Mesh mesh = Mesh.on(backend)) {
            MeshSet rows = mesh.set("rows", 3);
            MeshSet columns = mesh.set("columns", 2);
            MeshMap map = mesh.map("entries", rows, columns, new int[]{0, 0, 1, 4}, new int[]{1, 0, 1, 1});
            Dat x = mesh.dat("x", columns, 2, Precision.F32, new double[]{2, 3, 5, 7});
            Dat y = mesh.dat("y", rows, 1, Precision.F32, new double[]{9, 9, 9});
            mesh.loop(kernel, rows, x.at(map), y).run();
            assertArrayEquals(new double[]{0, 35, 76}, y.toArray());
        }
    }

    @Test
    void roundsOnceWhenItStores() {
        LoopKernel kernel = InterpretedKernel.named("third").dat(Access.INCREMENT, 1)
                .does(v -> ((double[]) v[0])[0] += 1.0 / 3);
        try (Backend backend = openBackend(); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", 1);
            Dat dat = mesh.dat("dat", set, 1, Precision.F32, new double[]{0.5});
            mesh.loop(kernel, set, dat).run();
            assertEquals((float) (0.5 + 1.0 / 3), dat.get(0, 0));
        }
    }

    @Test
    void scalarConstantsArriveAsScalars() {
        LoopKernel arrays = InterpretedKernel.named("scale").dat(Access.READ_WRITE, 1).constant(1)
                .does(v -> ((double[]) v[0])[0] *= (Double) v[1]);
        LoopKernel scalars = new ScalarKernel(arrays);
        try (Backend backend = openBackend(); Mesh mesh = Mesh.on(backend)) {
            MeshSet set = mesh.set("set", 1);
            Dat dat = mesh.dat("dat", set, 1, Precision.F64, new double[]{4});
            mesh.loop(scalars, set, dat, mesh.constant("factor", 2.5)).run();
            assertEquals(10, dat.get(0, 0));
        }
    }

    /** A kernel whose second parameter is a scalar. */
    private record ScalarKernel(LoopKernel kernel) implements LoopKernel {
        @Override
        public KernelSignature signature() {
            return kernel.signature();
        }

        @Override
        public void call(Object[] arguments) {
            kernel.call(arguments);
        }

        @Override
        public boolean scalar(int argument) {
            return argument == 1;
        }

        @Override
        public RangeLoop loop(LoopStyle style, Precision precision, LoopShape shape) {
            return kernel.loop(style, precision, shape);
        }

        @Override
        public Optional<String> objection(LoopStyle style) {
            return kernel.objection(style);
        }

        @Override
        public String cudaSource() {
            return kernel.cudaSource();
        }
    }
}
