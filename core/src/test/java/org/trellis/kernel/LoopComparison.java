package org.trellis.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.trellis.common.Precision;

/**
 * Runs a kernel on random data twice, once by calling the user's method for one element after the other and once by a
 * generated loop, and compares all arrays.
 */
final class LoopComparison {
    /** How the arguments are reached. */
    record Setting(Precision precision, boolean soa, boolean indirect, boolean ordered, IncrementMode mode, int size) {}

    private final LoopKernel kernel;
    private final Setting setting;
    private final SplittableRandom random;
    private final int arity;
    private final double[][] reference;
    private final double[][] start;
    private final int[] sizes;
    private final int[][][] targets;
    private final int[] offsets;
    private final LoopShape.Builder shape;
    private final LoopArguments arguments;
    private final Object[] data;
    private final int[] order;

    private LoopComparison(LoopKernel kernel, Setting setting, SplittableRandom random) {
        this.kernel = kernel;
        this.setting = setting;
        this.random = random;
        arity = kernel.signature().arity();
        reference = new double[arity][];
        start = new double[arity][];
        sizes = new int[arity];
        targets = new int[arity][][];
        data = new Object[arity];
        offsets = new int[setting.size() + 1];
        for (int e = 0; e < setting.size(); e++) {
            offsets[e + 1] = offsets[e] + random.nextInt(6);
        }
        shape = LoopShape.of(arity).ordered(setting.ordered());
        arguments = new LoopArguments(arity);
        order = permutation(setting.size());
        for (int a = 0; a < arity; a++) {
            bind(a, kernel.signature().arguments().get(a));
        }
    }

    /** Compares a loop with the method. */
    static void check(LoopKernel kernel, LoopStyle style, Setting setting, SplittableRandom random) {
        LoopComparison comparison = new LoopComparison(kernel, setting, random);
        RangeLoop loop = kernel.loop(style, setting.precision(), comparison.shape.build());
        comparison.compare(loop, kernel.signature().name() + " " + style + " " + setting);
    }

    private int[] permutation(int size) {
        int[] all = new int[size];
        Arrays.setAll(all, i -> i);
        for (int i = size - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = all[i];
            all[i] = all[j];
            all[j] = swap;
        }
        return all;
    }

    private boolean stored(ArgumentSignature a) {
        return a.access() == Access.INCREMENT && setting.mode() == IncrementMode.STORE;
    }

    private void bind(int a, ArgumentSignature signature) {
        boolean dat = signature.kind() == ArgumentSignature.Kind.DAT;
        int entries = signature.entries();
        int pairs = entries == ArgumentSignature.VARIABLE ? offsets[setting.size()] : entries * setting.size();
        boolean mapped = dat && (entries != 1 || (setting.indirect() && !stored(signature)));
        boolean exclusive = stored(signature) || signature.access() == Access.WRITE
                || signature.access() == Access.READ_WRITE;
        sizes[a] = !dat ? 1 : !mapped ? setting.size() : exclusive ? pairs + 2 : 3 + pairs / 3;
        if (mapped) {
            targets(a, signature, pairs, exclusive);
        }
        int components = signature.components();
        boolean soa = setting.soa() && dat && !stored(signature);
        shape.strides(a, !dat ? 0 : soa ? 1 : components, soa ? sizes[a] : 1);
        shape.increment(a, setting.mode());
        fill(a, signature, soa);
    }

    private void targets(int a, ArgumentSignature signature, int pairs, boolean exclusive) {
        int[] flat = exclusive ? permutation(sizes[a]) : random.ints(pairs, 0, sizes[a]).toArray();
        if (stored(signature)) {
            Arrays.setAll(flat, i -> i);
        }
        int entries = signature.entries();
        if (entries == ArgumentSignature.VARIABLE) {
            targets[a] = new int[][]{Arrays.copyOf(flat, pairs)};
            arguments.variableTargets(a, offsets, targets[a][0]);
        } else {
            int[][] columns = new int[entries][setting.size()];
            for (int e = 0; e < setting.size(); e++) {
                for (int k = 0; k < entries; k++) {
                    columns[k][e] = flat[e * entries + k];
                }
            }
            int same = sameAs(a, signature);
            targets[a] = same == a ? columns : targets[same];
            arguments.targets(a, targets[a]);
            shape.indirect(a, same);
            return;
        }
        shape.indirect(a, a);
    }

    /** Every second read shares the targets of the one before, as arguments through one column do. */
    private int sameAs(int a, ArgumentSignature signature) {
        boolean shares = signature.access() == Access.READ && signature.entries() == 1 && a % 2 == 1
                && targets[a - 1] != null && targets[a - 1].length == 1 && sizes[a - 1] <= sizes[a];
        return shares ? a - 1 : a;
    }

    private void fill(int a, ArgumentSignature signature, boolean soa) {
        int components = signature.components();
        boolean real = signature.type() == ArgumentSignature.Type.REAL;
        double[] values = new double[sizes[a] * components];
        Arrays.setAll(values, i -> real ? random.nextDouble(0.5, 2.0) : random.nextInt(4));
        if (setting.precision() == Precision.F32 && signature.kind() == ArgumentSignature.Kind.DAT && real) {
            Arrays.setAll(values, i -> (float) values[i]);
        }
        reference[a] = values;
        if (signature.access().reduces()) {
            Arrays.fill(values, signature.access() == Access.SUM ? 0.0 : signature.access() == Access.MIN ? 1e9 : -1e9);
            return;
        }
        double[] placed = new double[values.length];
        for (int i = 0; i < sizes[a]; i++) {
            for (int c = 0; c < components; c++) {
                placed[soa ? c * sizes[a] + i : i * components + c] = values[i * components + c];
            }
        }
        if (!real) {
            data[a] = Arrays.stream(placed).mapToInt(value -> (int) value).toArray();
        } else if (setting.precision() == Precision.F64 || signature.kind() != ArgumentSignature.Kind.DAT) {
            data[a] = placed;
        } else {
            float[] narrow = new float[placed.length];
            for (int i = 0; i < narrow.length; i++) {
                narrow[i] = (float) placed[i];
            }
            data[a] = narrow;
        }
        arguments.data(a, data[a]);
    }

    private void compare(RangeLoop loop, String name) {
        LoopRange range = new LoopRange(kernel.signature());
        for (int a = 0; a < arity; a++) {
            start[a] = reference[a].clone();
            ArgumentSignature signature = kernel.signature().arguments().get(a);
            if (signature.access().reduces()) {
                double first = reference[a][0];
                if (signature.type() == ArgumentSignature.Type.REAL) {
                    Arrays.fill(range.reals(a), first);
                } else {
                    Arrays.fill(range.ints(a), (int) first);
                }
            }
        }
        int from = setting.size() > 20 ? 3 : 0;
        int ownedFrom = 2;
        int ownedTo = 2 + setting.size() / 2;
        range.owned(ownedFrom, ownedTo);
        if (setting.ordered()) {
            range.elements(order, from, setting.size());
        } else {
            range.elements(from, setting.size());
        }
        loop.run(arguments, range);
        for (int n = from; n < setting.size(); n++) {
            call(setting.ordered() ? order[n] : n, ownedFrom, ownedTo);
        }
        for (int a = 0; a < arity; a++) {
            compare(a, range, name);
        }
    }

    private int row(int a, int e, int k) {
        if (targets[a] == null) {
            return kernel.signature().arguments().get(a).kind() == ArgumentSignature.Kind.DAT ? e : 0;
        }
        return kernel.signature().arguments().get(a).entries() == ArgumentSignature.VARIABLE
                ? targets[a][0][offsets[e] + k]
                : targets[a][k][e];
    }

    private void call(int e, int ownedFrom, int ownedTo) {
        Object[] values = new Object[arity];
        for (int a = 0; a < arity; a++) {
            ArgumentSignature signature = kernel.signature().arguments().get(a);
            int entries = signature.entries() == ArgumentSignature.VARIABLE
                    ? offsets[e + 1] - offsets[e]
                    : signature.entries();
            double[][] rows = new double[entries][signature.components()];
            for (int k = 0; k < entries; k++) {
                for (int c = 0; c < signature.components() && signature.access() != Access.INCREMENT; c++) {
                    rows[k][c] = reference[a][row(a, e, k) * signature.components() + c];
                }
            }
            values[a] = value(signature, rows);
        }
        kernel.call(values);
        for (int a = 0; a < arity; a++) {
            if (kernel.signature().arguments().get(a).access().writes()) {
                back(a, e, values[a], ownedFrom, ownedTo);
            }
        }
    }

    private static Object value(ArgumentSignature signature, double[][] rows) {
        boolean real = signature.type() == ArgumentSignature.Type.REAL;
        if (signature.kind() == ArgumentSignature.Kind.CONSTANT && signature.components() == 1) {
            // The samples' constants with one component are scalars.
            return real ? (Object) rows[0][0] : (Object) (int) rows[0][0];
        }
        int[][] integers = new int[rows.length][];
        for (int k = 0; k < rows.length; k++) {
            integers[k] = Arrays.stream(rows[k]).mapToInt(value -> (int) value).toArray();
        }
        if (signature.entries() == 1) {
            return real ? rows[0] : integers[0];
        }
        return real ? rows : integers;
    }

    private void back(int a, int e, Object value, int ownedFrom, int ownedTo) {
        ArgumentSignature signature = kernel.signature().arguments().get(a);
        double[][] rows = switch (value) {
            case double[] row -> new double[][]{row};
            case int[] row -> new double[][]{Arrays.stream(row).asDoubleStream().toArray()};
            case double[][] all -> all;
            default -> throw new AssertionError(value);
        };
        for (int k = 0; k < rows.length; k++) {
            int row = row(a, e, k);
            for (int c = 0; c < signature.components(); c++) {
                int i = row * signature.components() + c;
                if (signature.access() != Access.INCREMENT) {
                    reference[a][i] = rows[k][c];
                } else if (setting.mode() == IncrementMode.STORE) {
                    reference[a][i] = rows[k][c];
                } else if (setting.mode() == IncrementMode.ADD
                        || (setting.mode() == IncrementMode.ADD_OWNED && row >= ownedFrom && row < ownedTo)) {
                    reference[a][i] += rows[k][c];
                }
            }
        }
    }

    private void compare(int a, LoopRange range, String name) {
        ArgumentSignature signature = kernel.signature().arguments().get(a);
        int components = signature.components();
        boolean soa = setting.soa() && signature.kind() == ArgumentSignature.Kind.DAT && !stored(signature);
        for (int i = 0; i < reference[a].length; i++) {
            int row = i / components;
            int c = i % components;
            int place = soa ? c * sizes[a] + row : i;
            double found = signature.access().reduces()
                    ? signature.type() == ArgumentSignature.Type.REAL ? range.reals(a)[c] : range.ints(a)[c]
                    : found(a, place);
            String where = name + ": component " + c + " of element " + row + " of '" + signature.name() + "', was "
                    + start[a][i];
            if (signature.type() == ArgumentSignature.Type.INT) {
                assertEquals(reference[a][i], found, where);
            } else {
                double magnitude = Math.abs(reference[a][i]) + Math.abs(start[a][i] % 1e9) + 1.0;
                double tolerance = (setting.precision() == Precision.F32 ? 4e-5 : 1e-13) * magnitude
                        * (signature.access() == Access.SUM ? 4 : 1);
                assertTrue(Math.abs(reference[a][i] - found) <= tolerance,
                        () -> where + ": expected " + reference[a][place(row, c, components)] + ", found " + found);
            }
        }
    }

    private static int place(int row, int c, int components) {
        return row * components + c;
    }

    private double found(int a, int place) {
        return switch (data[a]) {
            case double[] values -> values[place];
            case float[] values -> values[place];
            case int[] values -> values[place];
            default -> throw new AssertionError(data[a]);
        };
    }
}
