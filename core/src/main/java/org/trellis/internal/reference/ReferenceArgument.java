package org.trellis.internal.reference;

import java.util.Arrays;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.memory.HostVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshConstant;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshRaster;
import org.trellis.mesh.Scalar;
import org.trellis.mesh.device.HostStorage;

/**
 * One argument of a loop as the user's method takes it. Real values are double whatever the precision of the dat; they
 * are rounded when they are written back.
 */
final class ReferenceArgument {
    private final Access access;
    private final boolean real;
    private final int components;
    private final Dat dat;
    private HostStorage storage;
    private int elementStride;
    private int componentStride;
    private final MeshMap map;
    private int[][] columns;
    private int[] offsets;
    private int[] entries;
    private final boolean rows;
    private final Scalar scalar;
    /** What reductions have made of owned elements. */
    private final Object kept;
    /** What the method gets: the same object for all elements unless rows differ in length. */
    private Object value;
    /** For rows of different lengths: an object of each length that has occurred. */
    private Object[] byLength = new Object[0];

    ReferenceArgument(LoopDeclaration loop, int index) {
        access = loop.access(index);
        real = loop.signature(index).type() == ArgumentSignature.Type.REAL;
        components = loop.signature(index).components();
        dat = loop.dat(index);
        storage = dat == null ? null : (HostStorage) dat.storage();
        map = loop.map(index);
        rows = loop.signature(index).entries() != 1;
        scalar = loop.argument(index) instanceof Scalar found ? found : null;
        if (dat != null) {
            elementStride = dat.elementStride();
            componentStride = dat.componentStride();
        }
        if (map != null && map.arity() == MeshMap.VARIABLE) {
            offsets = map.offsets();
            entries = map.entries();
        }
        columns = map == null || map.arity() == MeshMap.VARIABLE ? null : columns(loop, index);
        kept = access.reduces() ? newArray() : null;
        if (dat != null) {
            value = rows ? null : newArray();
        } else {
            value = switch (loop.argument(index)) {
                case Global global -> global.real() ? global.doubles() : global.ints();
                case Scalar found -> new double[components];
                case MeshRaster raster -> raster.raster();
                case MeshConstant constant -> constant(constant, loop.kernel().scalar(index));
                default -> throw new IllegalStateException(loop.where(index) + " is " + loop.argument(index));
            };
        }
    }

    /**
     * Has the values of the dat elsewhere from now on, and other targets.
     *
     * @param other      the values, components side by side
     * @param ownColumns targets in place of the map's columns that this argument uses, or null
     * @param ownOffsets where rows start in place of the map's of variable arity, or null
     * @param ownEntries the targets in place of the map's of variable arity, or null
     */
    void move(HostStorage other, int[][] ownColumns, int[] ownOffsets, int[] ownEntries) {
        storage = other;
        elementStride = components;
        componentStride = 1;
        columns = ownColumns;
        offsets = ownOffsets;
        entries = ownEntries;
    }

    /** Returns what holds a reduction of owned elements, to be used in place of a global. */
    Object newAccumulator() {
        Object fresh = newArray();
        switch (access) {
            case MIN -> fill(fresh, Double.POSITIVE_INFINITY, Integer.MAX_VALUE);
            case MAX -> fill(fresh, Double.NEGATIVE_INFINITY, Integer.MIN_VALUE);
            default -> fill(fresh, 0, 0);
        }
        return fresh;
    }

    private static void fill(Object array, double value, int whole) {
        if (array instanceof double[] reals) {
            Arrays.fill(reals, value);
        } else {
            Arrays.fill((int[]) array, whole);
        }
    }

    /** Combines a reduction with the global, or sets the scalars to it. */
    void combine(Object reduced) {
        double[] reals = scalar != null ? scalars() : value instanceof double[] found ? found : null;
        int first = scalar != null ? scalar.first() : 0;
        for (int c = 0; c < components; c++) {
            if (reals == null) {
                int[] whole = (int[]) value;
                int part = ((int[]) reduced)[c];
                whole[c] = switch (access) {
                    case MIN -> Math.min(whole[c], part);
                    case MAX -> Math.max(whole[c], part);
                    default -> whole[c] + part;
                };
            } else {
                double part = ((double[]) reduced)[c];
                reals[first + c] = scalar != null ? part : switch (access) {
                    case MIN -> Math.min(reals[first + c], part);
                    case MAX -> Math.max(reals[first + c], part);
                    default -> reals[first + c] + part;
                };
            }
        }
    }

    /** Fetches scalars that are read, and begins reductions into scalars. */
    void begin() {
        if (scalar == null) {
            return;
        }
        double[] values = (double[]) value;
        switch (access) {
            case READ -> System.arraycopy(scalars(), scalar.first(), values, 0, components);
            case MIN -> Arrays.fill(values, Double.POSITIVE_INFINITY);
            case MAX -> Arrays.fill(values, Double.NEGATIVE_INFINITY);
            default -> Arrays.fill(values, 0);
        }
    }

    private double[] scalars() {
        return ((HostVector) scalar.vector()).doubles();
    }

    /** Puts what has been reduced into scalars, and keeps it: elements that follow do not count. */
    @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of one primitive type
    void finish() {
        if (access.reduces()) {
            System.arraycopy(value, 0, kept, 0, components);
            if (scalar != null) {
                System.arraycopy((double[]) value, 0, scalars(), scalar.first(), components);
            }
        }
    }

    /** Drops what has been reduced since {@link #finish}. */
    @SuppressWarnings("SuspiciousSystemArraycopy")
    void restore() {
        if (access.reduces()) {
            System.arraycopy(kept, 0, value, 0, components);
        }
    }

    private static Object constant(MeshConstant constant, boolean scalar) {
        if (!scalar) {
            return constant.toArray();
        }
        return constant.real() ? (Object) constant.get(0) : (Object) (int) constant.get(0);
    }

    private static int[][] columns(LoopDeclaration loop, int index) {
        int entries = loop.signature(index).entries();
        int[][] columns = new int[entries][];
        for (int e = 0; e < entries; e++) {
            columns[e] = loop.map(index).column(entries == 1 ? Math.max(0, loop.entry(index)) : e);
        }
        return columns;
    }

    private Object newArray() {
        return real ? new double[components] : new int[components];
    }

    private Object newRows(int length) {
        return real ? new double[length][components] : new int[length][components];
    }

    private int length(int element) {
        return columns != null ? columns.length : offsets[element + 1] - offsets[element];
    }

    private int target(int element, int entry) {
        if (map == null) {
            return element;
        }
        return columns != null ? columns[entry][element] : entries[offsets[element] + entry];
    }

    /** Returns what the method gets for an element. */
    Object gather(int element) {
        if (dat == null) {
            return value;
        }
        if (!rows) {
            gather(value, target(element, 0));
            return value;
        }
        int length = length(element);
        value = rowsOf(length);
        for (int entry = 0; entry < length; entry++) {
            gather(row(entry), target(element, entry));
        }
        return value;
    }

    private Object rowsOf(int length) {
        if (length >= byLength.length) {
            byLength = Arrays.copyOf(byLength, length + 1);
        }
        if (byLength[length] == null) {
            byLength[length] = newRows(length);
        }
        return byLength[length];
    }

    private Object row(int entry) {
        return real ? ((double[][]) value)[entry] : ((int[][]) value)[entry];
    }

    private int place(int target, int component) {
        return target * elementStride + component * componentStride;
    }

    /** Fills an array: with the values of the target, or with zeros to which the method adds. */
    private void gather(Object array, int target) {
        for (int c = 0; c < components; c++) {
            double found = access == Access.INCREMENT ? 0 : storage.get(place(target, c));
            if (real) {
                ((double[]) array)[c] = found;
            } else {
                ((int[]) array)[c] = (int) found;
            }
        }
    }

    /** Writes back what the method changed. */
    void scatter(int element) {
        if (dat == null || !access.writes()) {
            return;
        }
        if (!rows) {
            scatter(value, target(element, 0));
            return;
        }
        int length = length(element);
        for (int entry = 0; entry < length; entry++) {
            scatter(row(entry), target(element, entry));
        }
    }

    private void scatter(Object array, int target) {
        for (int c = 0; c < components; c++) {
            int place = place(target, c);
            if (real) {
                double next = ((double[]) array)[c];
                storage.set(place, access == Access.INCREMENT ? storage.get(place) + next : next);
            } else {
                int next = ((int[]) array)[c];
                // In int, not double: a sum that does not fit wraps as in Java.
                storage.set(place, access == Access.INCREMENT ? (int) storage.get(place) + next : next);
            }
        }
    }
}
