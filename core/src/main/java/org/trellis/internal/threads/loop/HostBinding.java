package org.trellis.internal.threads.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.IncrementMode;
import org.trellis.kernel.LoopArguments;
import org.trellis.kernel.LoopShape;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.IndirectArgument;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshRaster;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.device.HostStorage;

/** Binds the arguments of a loop to arrays on the heap: the shape that generated code is made for, and the arrays. */
final class HostBinding {
    private final LoopDeclaration loop;
    private final Object[] stored;
    private final boolean stores;
    private final LoopShape.Builder shape;
    private final LoopArguments arguments;
    private final List<ScalarInput> scalars = new ArrayList<>();

    /** Scalars that a kernel reads: their values are copied to where it looks before each run. */
    private static final class ScalarInput {
        private final int argument;
        private final double[] values;
        private double[] from;
        private int first;

        ScalarInput(int argument, Scalar scalar) {
            this.argument = argument;
            this.values = new double[scalar.components()];
            bind(scalar);
        }

        void bind(Scalar scalar) {
            from = doubles(scalar);
            first = scalar.first();
        }

        void read() {
            for (int c = 0; c < values.length; c++) {
                values[c] = from[first + c];
            }
        }
    }

    /**
     * Binds a loop.
     *
     * @param loop    the loop
     * @param ordered whether its ranges list their elements
     * @param stored  for each increment that stores its contributions instead of adding them, room for the values of
     *                every element, or of every entry of every element; null for others
     */
    HostBinding(LoopDeclaration loop, boolean ordered, Object[] stored) {
        this.loop = loop;
        this.stored = stored;
        this.stores = Arrays.stream(stored).anyMatch(Objects::nonNull);
        shape = LoopShape.of(loop.arity()).ordered(ordered);
        arguments = new LoopArguments(loop.arity());
        for (int a = 0; a < loop.arity(); a++) {
            bind(a);
        }
    }

    LoopShape shape() {
        return shape.build();
    }

    /** Returns the shape of ranges that list their elements, or do not, over the same arguments. */
    LoopShape shape(boolean ordered) {
        return shape.ordered(ordered).build();
    }

    /** Has the values of a dat elsewhere. */
    void strides(int a, int elementStride, int componentStride) {
        shape.strides(a, elementStride, componentStride);
    }

    LoopArguments arguments() {
        return arguments;
    }

    /** Returns the array that holds scalars. */
    static double[] doubles(Scalar scalar) {
        return ((HostVector) scalar.vector()).doubles();
    }

    /** Gives the kernel the values that scalars have now. */
    void readScalars() {
        for (int i = 0; i < scalars.size(); i++) {
            scalars.get(i).read();
        }
    }

    /** Takes over what is bound to an argument now; says whether it could. */
    boolean rebind(int a) {
        if (loop.signature(a).kind() == ArgumentSignature.Kind.DAT) {
            if (stores) {
                return false;
            }
            arguments.data(a, ((HostStorage) loop.dat(a).storage()).array());
        } else if (loop.argument(a) instanceof Scalar scalar) {
            for (int i = 0; i < scalars.size(); i++) {
                if (scalars.get(i).argument == a) {
                    scalars.get(i).bind(scalar);
                }
            }
        }
        return true;
    }

    private void bind(int a) {
        if (stored[a] != null) {
            bindStored(a, loop.map(a), loop.signature(a).entries());
            return;
        }
        if (loop.signature(a).kind() == ArgumentSignature.Kind.DAT) {
            bindDat(a, loop.dat(a), loop.map(a));
            return;
        }
        shape.strides(a, 0, 1);
        if (loop.argument(a) instanceof MeshConstant constant) {
            arguments.data(a, constant.toArray());
        } else if (loop.argument(a) instanceof MeshRaster raster) {
            arguments.data(a, raster.raster());
        } else if (loop.argument(a) instanceof Global global && loop.access(a) == Access.READ) {
            arguments.data(a, global.real() ? global.doubles() : global.ints());
        } else if (loop.argument(a) instanceof Scalar scalar && loop.access(a) == Access.READ) {
            ScalarInput input = new ScalarInput(a, scalar);
            scalars.add(input);
            arguments.data(a, input.values);
        }
    }

    private void bindDat(int a, Dat dat, MeshMap map) {
        shape.strides(a, dat.elementStride(), dat.componentStride());
        arguments.data(a, ((HostStorage) dat.storage()).array());
        if (map == null) {
            return;
        }
        shape.indirect(a, firstWithTarget(a));
        if (map.arity() == MeshMap.VARIABLE) {
            arguments.variableTargets(a, map.offsets(), map.entries());
        } else {
            arguments.targets(a, columns(map, loop.entry(a)));
        }
    }

    static int[][] columns(MeshMap map, int entry) {
        if (entry != IndirectArgument.ALL) {
            return new int[][]{map.column(entry)};
        }
        int[][] columns = new int[map.arity()][];
        for (int e = 0; e < columns.length; e++) {
            columns[e] = map.column(e);
        }
        return columns;
    }

    private int firstWithTarget(int a) {
        if (loop.signature(a).entries() != 1) {
            return a;
        }
        for (int b = 0; b < a; b++) {
            if (stored[b] == null && loop.signature(b).entries() == 1 && loop.map(b) == loop.map(a)
                    && Math.max(0, loop.entry(b)) == Math.max(0, loop.entry(a))) {
                return b;
            }
        }
        return a;
    }

    void mode(int a, IncrementMode mode) {
        shape.increment(a, mode);
    }

    private void bindStored(int a, MeshMap map, int entries) {
        shape.increment(a, IncrementMode.STORE);
        shape.strides(a, loop.dat(a).components(), 1);
        arguments.data(a, stored[a]);
        if (entries == 1) {
            return;
        }
        shape.indirect(a, a);
        if (map.arity() == MeshMap.VARIABLE) {
            int[] places = new int[map.entries().length];
            fill(places, 0, 1);
            arguments.variableTargets(a, map.offsets(), places);
        } else {
            int[][] places = new int[entries][loop.set().size()];
            for (int k = 0; k < entries; k++) {
                fill(places[k], k, entries);
            }
            arguments.targets(a, places);
        }
    }

    private static void fill(int[] places, int first, int step) {
        for (int i = 0; i < places.length; i++) {
            places[i] = first + i * step;
        }
    }
}
