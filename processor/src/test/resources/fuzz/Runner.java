package fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.IncrementMode;
import org.trellis.kernel.LoopArguments;
import org.trellis.kernel.LoopKernel;
import org.trellis.kernel.LoopRange;
import org.trellis.kernel.LoopShape;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;

/**
 * Runs the loops of one kernel on random data and compares them with the method, called for one element after the
 * other. Compiled together with the random kernels, against the same classes.
 */
public final class Runner {
    private static final int[] SIZES = {0, 1, 5, 75};

    private final LoopKernel kernel;
    private final Consumer<Object[]> single;
    private final boolean exact;
    private final SplittableRandom random;
    private final List<ArgumentSignature> signatures;
    private final int arity;
    private Precision precision;
    private boolean soa;
    private boolean indirect;
    private boolean ordered;
    private IncrementMode mode;
    private int size;
    private double[][] start;
    private int[] rows;
    private int[][][] targets;
    private int[] offsets;
    private int[] order;
    private int from;
    private double[] magnitudes;

    private Runner(LoopKernel kernel, Consumer<Object[]> single, boolean exact, long seed) {
        this.kernel = kernel;
        this.single = single;
        this.exact = exact;
        random = new SplittableRandom(seed);
        signatures = kernel.signature().arguments();
        arity = signatures.size();
    }

    /**
     * Compares all loops of a kernel.
     *
     * @param kernel   the kernel
     * @param single   the method in single precision
     * @param exact    whether scalar loops have to give the method's bits
     * @param settings how many settings are tried for each precision
     * @param seed     what random data depend on
     * @return what differs, or an empty string
     */
    public static String check(LoopKernel kernel, Consumer<Object[]> single, boolean exact, int settings, long seed) {
        return new Runner(kernel, single, exact, seed).run(settings);
    }

    private String run(int settings) {
        for (int i = 0; i < settings; i++) {
            for (Precision each : Precision.values()) {
                precision = each;
                soa = random.nextBoolean();
                indirect = random.nextBoolean();
                ordered = random.nextInt(4) == 0;
                mode = IncrementMode.values()[random.nextInt(IncrementMode.values().length)];
                size = i == 0 ? SIZES[SIZES.length - 1] : SIZES[random.nextInt(SIZES.length)];
                String difference = compare();
                if (!difference.isEmpty()) {
                    return difference + " (" + precision + (soa ? " soa" : " aos") + (indirect ? " indirect" : "")
                            + (ordered ? " ordered " : " ") + mode + ", " + size + " elements)";
                }
            }
        }
        return "";
    }

    private String compare() {
        LoopShape shape = prepare();
        double[][] expected = reference();
        double[][] scalar = loop(LoopStyle.SCALAR, shape);
        String difference = exact ? difference("scalar", expected, scalar, false) : "";
        if (difference.isEmpty() && kernel.objection(LoopStyle.SIMD).isEmpty()) {
            difference = difference("SIMD", scalar, loop(LoopStyle.SIMD, shape), true);
        }
        return difference;
    }

    private boolean dat(int a) {
        return signatures.get(a).kind() == ArgumentSignature.Kind.DAT;
    }

    private boolean stored(int a) {
        return signatures.get(a).access() == Access.INCREMENT && mode == IncrementMode.STORE;
    }

    private boolean column(int a) {
        return soa && dat(a) && !stored(a);
    }

    private LoopShape prepare() {
        offsets = new int[size + 1];
        for (int e = 0; e < size; e++) {
            offsets[e + 1] = offsets[e] + random.nextInt(5);
        }
        order = permutation(size);
        from = size > 20 ? 3 : 0;
        start = new double[arity][];
        rows = new int[arity];
        targets = new int[arity][][];
        magnitudes = new double[arity];
        LoopShape.Builder shape = LoopShape.of(arity).ordered(ordered);
        for (int a = 0; a < arity; a++) {
            bind(a, shape);
        }
        return shape.build();
    }

    private void bind(int a, LoopShape.Builder shape) {
        ArgumentSignature s = signatures.get(a);
        int entries = s.entries();
        int pairs = entries == ArgumentSignature.VARIABLE ? offsets[size] : entries * size;
        boolean mapped = dat(a) && (entries != 1 || (indirect && !stored(a)));
        boolean exclusive = stored(a) || s.access() == Access.WRITE || s.access() == Access.READ_WRITE;
        rows[a] = !dat(a) ? 1 : !mapped ? size : exclusive ? pairs + 2 : 3 + pairs / 3;
        if (mapped) {
            int[] flat = stored(a) ? identity(pairs) : exclusive ? permutation(rows[a])
                    : random.ints(pairs, 0, rows[a]).toArray();
            int same = a;
            if (entries == ArgumentSignature.VARIABLE) {
                targets[a] = new int[][]{Arrays.copyOf(flat, pairs)};
            } else {
                targets[a] = new int[entries][size];
                for (int e = 0; e < size; e++) {
                    for (int k = 0; k < entries; k++) {
                        targets[a][k][e] = flat[e * entries + k];
                    }
                }
                if (a > 0 && s.access() == Access.READ && entries == 1 && targets[a - 1] != null
                        && signatures.get(a - 1).entries() == 1 && rows[a - 1] <= rows[a] && random.nextBoolean()) {
                    same = a - 1;
                    targets[a] = targets[a - 1];
                    // What that one shares is shared as well: the first of all is named.
                    while (same > 0 && targets[same - 1] == targets[same]) {
                        same--;
                    }
                }
            }
            shape.indirect(a, same);
        }
        shape.strides(a, !dat(a) ? 0 : column(a) ? 1 : s.components(), column(a) ? rows[a] : 1);
        shape.increment(a, mode);
        start[a] = new double[rows[a] * s.components()];
        for (int i = 0; i < start[a].length; i++) {
            start[a][i] = value(s);
        }
    }

    private double value(ArgumentSignature s) {
        if (s.access().reduces()) {
            return s.access() == Access.SUM ? 0.0 : s.access() == Access.MIN ? 1e6 : -1e6;
        }
        if (s.type() == ArgumentSignature.Type.INT) {
            return random.nextInt(-3, 9);
        }
        double value = random.nextDouble(-2.0, 3.0);
        return precision == Precision.F32 ? (float) value : value;
    }

    private static int[] identity(int length) {
        int[] all = new int[length];
        Arrays.setAll(all, i -> i);
        return all;
    }

    private int[] permutation(int length) {
        int[] all = identity(length);
        for (int i = length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = all[i];
            all[i] = all[j];
            all[j] = swap;
        }
        return all;
    }

    private int place(int a, int i) {
        int components = signatures.get(a).components();
        return column(a) ? i % components * rows[a] + i / components : i;
    }

    private double[][] loop(LoopStyle style, LoopShape shape) {
        LoopArguments arguments = new LoopArguments(arity);
        LoopRange range = new LoopRange(kernel.signature()).owned(2, 2 + size / 2);
        Object[] data = new Object[arity];
        for (int a = 0; a < arity; a++) {
            ArgumentSignature s = signatures.get(a);
            double[] placed = new double[start[a].length];
            for (int i = 0; i < placed.length; i++) {
                placed[place(a, i)] = start[a][i];
            }
            boolean wide = precision == Precision.F64 || !dat(a);
            data[a] = s.type() == ArgumentSignature.Type.INT ? integers(placed) : wide ? placed : floats(placed);
            if (!s.access().reduces()) {
                arguments.data(a, data[a]);
            } else if (s.type() == ArgumentSignature.Type.INT) {
                System.arraycopy(data[a], 0, range.ints(a), 0, s.components());
                data[a] = range.ints(a);
            } else {
                System.arraycopy(data[a], 0, range.reals(a), 0, s.components());
                data[a] = range.reals(a);
            }
            if (targets[a] != null && s.entries() == ArgumentSignature.VARIABLE) {
                arguments.variableTargets(a, offsets, targets[a][0]);
            } else if (targets[a] != null) {
                arguments.targets(a, targets[a]);
            }
        }
        if (ordered) {
            range.elements(order, from, size);
        } else {
            range.elements(from, size);
        }
        RangeLoop loop = kernel.loop(style, precision, shape);
        loop.run(arguments, range);
        double[][] results = new double[arity][];
        for (int a = 0; a < arity; a++) {
            double[] placed = doubles(data[a]);
            results[a] = new double[placed.length];
            for (int i = 0; i < placed.length; i++) {
                results[a][i] = placed[place(a, i)];
            }
        }
        return results;
    }

    private static int[] integers(double[] values) {
        return Arrays.stream(values).mapToInt(v -> (int) v).toArray();
    }

    private static float[] floats(double[] values) {
        float[] narrow = new float[values.length];
        for (int i = 0; i < narrow.length; i++) {
            narrow[i] = (float) values[i];
        }
        return narrow;
    }

    private static double[] doubles(Object values) {
        if (values instanceof float[] narrow) {
            double[] wide = new double[narrow.length];
            for (int i = 0; i < wide.length; i++) {
                wide[i] = narrow[i];
            }
            return wide;
        }
        return values instanceof int[] integers ? Arrays.stream(integers).asDoubleStream().toArray()
                : ((double[]) values).clone();
    }

    private double[][] reference() {
        double[][] values = new double[arity][];
        for (int a = 0; a < arity; a++) {
            values[a] = start[a].clone();
        }
        for (int n = from; n < size; n++) {
            element(ordered ? order[n] : n, values);
        }
        return values;
    }

    private int row(int a, int e, int k) {
        return targets[a] == null ? dat(a) ? e : 0
                : signatures.get(a).entries() == ArgumentSignature.VARIABLE ? targets[a][0][offsets[e] + k]
                : targets[a][k][e];
    }

    private void element(int e, double[][] values) {
        Object[] arguments = new Object[arity];
        for (int a = 0; a < arity; a++) {
            ArgumentSignature s = signatures.get(a);
            List<Object> parts = new ArrayList<>();
            for (int k = 0; k < entries(a, e); k++) {
                double[] part = new double[s.components()];
                for (int c = 0; c < part.length; c++) {
                    part[c] = s.access() == Access.INCREMENT || s.access() == Access.SUM ? 0.0
                            : values[a][row(a, e, k) * s.components() + c];
                }
                parts.add(s.type() == ArgumentSignature.Type.INT ? integers(part)
                        : precision == Precision.F32 && !s.access().reduces() ? floats(part) : part);
            }
            arguments[a] = kernel.scalar(a) ? scalar(parts.get(0)) : s.entries() == 1 ? parts.get(0) : nested(a, parts);
        }
        if (precision == Precision.F64) {
            kernel.call(arguments);
        } else {
            single.accept(arguments);
        }
        for (int a = 0; a < arity; a++) {
            if (signatures.get(a).access().writes()) {
                back(a, e, arguments[a], values);
            }
        }
    }

    private int entries(int a, int e) {
        int entries = signatures.get(a).entries();
        return entries == ArgumentSignature.VARIABLE ? offsets[e + 1] - offsets[e] : entries;
    }

    private static Object scalar(Object part) {
        return part instanceof int[] i ? (Object) i[0] : part instanceof float[] f ? (Object) f[0]
                : (Object) ((double[]) part)[0];
    }

    private Object nested(int a, List<Object> parts) {
        return signatures.get(a).type() == ArgumentSignature.Type.INT ? parts.toArray(int[][]::new)
                : precision == Precision.F32 ? parts.toArray(float[][]::new) : parts.toArray(double[][]::new);
    }

    private void back(int a, int e, Object argument, double[][] values) {
        ArgumentSignature s = signatures.get(a);
        Object[] parts = argument instanceof Object[] several ? several : new Object[]{argument};
        for (int k = 0; k < parts.length; k++) {
            double[] part = doubles(parts[k]);
            int row = row(a, e, k);
            for (int c = 0; c < part.length; c++) {
                int i = row * part.length + c;
                if (s.access() == Access.SUM) {
                    magnitudes[a] += Math.abs(part[c]);
                    values[a][i] = s.type() == ArgumentSignature.Type.INT ? (int) values[a][i] + (int) part[c]
                            : values[a][i] + part[c];
                } else if (s.access() != Access.INCREMENT || mode == IncrementMode.STORE) {
                    values[a][i] = part[c];
                } else if (mode == IncrementMode.ADD
                        || (mode == IncrementMode.ADD_OWNED && row >= 2 && row < 2 + size / 2)) {
                    values[a][i] = s.type() == ArgumentSignature.Type.INT ? (int) values[a][i] + (int) part[c]
                            : precision == Precision.F32 ? (float) values[a][i] + (float) part[c]
                            : values[a][i] + part[c];
                }
            }
        }
    }

    private String difference(String what, double[][] expected, double[][] found, boolean bits) {
        for (int a = 0; a < arity; a++) {
            ArgumentSignature s = signatures.get(a);
            for (int i = 0; i < expected[a].length; i++) {
                double x = expected[a][i];
                double y = found[a][i];
                boolean same = x == y || (Double.isNaN(x) && Double.isNaN(y));
                if (bits) {
                    same = Double.doubleToLongBits(x) == Double.doubleToLongBits(y);
                }
                if (s.access() == Access.SUM && s.type() == ArgumentSignature.Type.REAL) {
                    // Lanes are summed up apart.
                    same |= Math.abs(x - y) <= 1e-12 * magnitudes[a] || !Double.isFinite(magnitudes[a]);
                }
                if (!same) {
                    return what + " differs: component " + i % s.components() + " of element " + i / s.components()
                            + " of '" + s.name() + "' was " + start[a][i] + ", expected " + x + ", found " + y;
                }
            }
        }
        return "";
    }
}
