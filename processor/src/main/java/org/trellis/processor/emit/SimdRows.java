package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.ValueType;

/**
 * Writes how elements whose components lie side by side are moved: each by one short vector, or by several if it is
 * longer than a vector, and between elements and components by a transposition in registers. Nothing goes through
 * memory on the way: a vector that is loaded from several smaller stores waits until they have reached the cache.
 *
 * <p>A row holds the components of one element. A vector has room for L / r rows of r components; the vector number k
 * has the rows of the lanes k, r + k, 2 r + k and so on, and after the transposition component k of all lanes. Lanes
 * are written out one by one, up to as many as the longest vector has.
 */
final class SimdRows {
    /** The lanes of loops with rows: more were slower, since vectors have to be put together from several rows. */
    private static final int ROW_LANES = 4;
    /** The bits of the vectors of other loops. */
    private static final int BITS = 256;

    private final LoopLayout layout;
    private final SimdStaging staging;
    private final RealType real;
    private final String vector;
    private final int lanes;

    SimdRows(LoopLayout layout, SimdStaging staging) {
        this.layout = layout;
        this.staging = staging;
        real = layout.real();
        vector = real.label() + "Vector";
        lanes = rows().isEmpty() ? BITS / Byte.SIZE / real.bytes() : ROW_LANES;
    }

    /** Returns the number of lanes, which is smaller on machines with shorter vectors. */
    int lanes() {
        return lanes;
    }

    /** Returns the components of an element that one vector takes. */
    static int row(Parameter parameter) {
        return Math.min(parameter.components(), ROW_LANES);
    }

    private Parameter parameter(int p) {
        return layout.kernel().parameters().get(p);
    }

    /** Returns the lengths of all rows. */
    private NavigableSet<Integer> rows() {
        NavigableSet<Integer> rows = new TreeSet<>();
        for (int p : layout.fixed()) {
            if (SimdStaging.chunkable(parameter(p), real)) {
                rows.add(row(parameter(p)));
            }
        }
        return rows;
    }

    /** Says whether any element can be moved by rows. */
    boolean any() {
        return !rows().isEmpty();
    }

    /** Returns what has to hold of the shape of a loop for that. */
    String condition() {
        return String.join(" && ", layout.fixed().stream().filter(p -> SimdStaging.chunkable(parameter(p), real))
                .map(p -> "L >= " + row(parameter(p)) + " && E" + p + " == " + parameter(p).components() + " && C"
                        + p + " == 1")
                .toList());
    }

    /** Writes species, shuffles and masks. */
    void fields(CodeWriter out) {
        String type = "<" + real.label() + "> ";
        for (int row : rows()) {
            out.line("private static final VectorSpecies" + type + "S" + row + "X = VectorSpecies.of(" + real.keyword()
                    + ".class, VectorShape.forBitSize(" + row * real.bytes() * Byte.SIZE + "));");
            // To every place for a row from the first, and to the first from every other.
            out.line("private static final VectorShuffle" + type + "R" + row
                    + " = VectorShuffle.fromOp(S, lane -> lane & " + (row - 1) + ");");
            for (int place = row; place < lanes; place += row) {
                out.line("private static final VectorShuffle" + type + "R" + row + "F" + place
                        + " = VectorShuffle.fromOp(S, lane -> (lane + " + place + ") & (L - 1));");
                mask("R" + row + "M" + place, ((1L << row) - 1) << place, out);
            }
        }
        int largest = rows().isEmpty() ? 1 : rows().last();
        for (int distance = 1; distance < largest; distance *= 2) {
            out.line("private static final VectorShuffle" + type + "X" + distance
                    + " = VectorShuffle.fromOp(S, lane -> (lane ^ " + distance + ") & (L - 1));");
            mask("M" + distance, pattern(distance), out);
        }
        for (int lane = 1; lane < lanes; lane++) {
            mask("LANE" + lane, 1L << lane, out);
            out.line("private static final VectorMask<Integer> LANEI" + lane + " = VectorMask.fromLong(SI, "
                    + (1L << lane) + "L);");
        }
    }

    private void mask(String name, long bits, CodeWriter out) {
        out.line("private static final VectorMask<" + real.label() + "> " + name + " = VectorMask.fromLong(S, 0x"
                + Long.toHexString(bits) + "L);");
    }

    /** Returns the lanes whose number has a bit set. */
    private static long pattern(int bit) {
        long pattern = 0;
        for (int lane = 0; lane < Long.SIZE; lane++) {
            pattern |= (lane & bit) != 0 ? 1L << lane : 0L;
        }
        return pattern;
    }

    /** Declares the indices of the elements of all lanes. */
    void indices(CodeWriter out) {
        for (int lane = 0; lane < lanes; lane++) {
            out.line("int e" + suffix(lane) + " = L > " + lane + " ? ORDERED ? order[n + " + lane + "] : n + " + lane
                    + " : n;");
            layout.indices(out, suffix(lane));
        }
    }

    private static String suffix(int lane) {
        return "l" + lane;
    }

    private String place(int p, int entry, int lane, int first) {
        return "a" + p + ", " + LoopLayout.index(p, entry) + suffix(lane) + " * E" + p
                + (first == 0 ? "" : " + " + first);
    }

    /** Loads the components of an entry from rows into variables. */
    void load(int p, int entry, List<String> names, CodeWriter out) {
        int row = row(parameter(p));
        for (int first = 0; first < names.size(); first += row) {
            for (int k = 0; k < row; k++) {
                String name = names.get(first + k);
                out.line(name + " = " + loaded(p, entry, k, first) + ";");
                for (int place = row; place < lanes; place += row) {
                    out.line("if (L > " + place + ") {");
                    out.line(name + " = " + name + ".blend(" + loaded(p, entry, place + k, first) + ".rearrange(R" + row
                            + "), R" + row + "M" + place + ");");
                    out.line("}");
                }
            }
            transpose(names.subList(first, first + row), out);
        }
    }

    private String loaded(int p, int entry, int lane, int first) {
        return "((" + vector + ") " + vector + ".fromArray(S" + row(parameter(p)) + "X, "
                + place(p, entry, lane, first) + ").reinterpretShape(S, 0))";
    }

    /** Loads one component, lane by lane, into a variable. */
    void loadLanes(Lowered.Component c, CodeWriter out) {
        int p = c.parameter();
        boolean reals = parameter(p).type() == ValueType.REAL;
        String broadcast = (reals ? vector : "IntVector") + ".broadcast(" + (reals ? "S" : "SI") + ", ";
        for (int lane = 0; lane < lanes; lane++) {
            String value = broadcast + LoopLayout.place(c, LoopLayout.index(p, c.entry()) + suffix(lane)) + ")";
            out.line(lane == 0
                    ? c.local() + " = " + value + ";"
                    : "if (L > " + lane + ") " + c.local() + " = " + c.local() + ".blend(" + value + ", LANE"
                            + (reals ? "" : "I") + lane + ");");
        }
    }

    /**
     * Transposes as many vectors as a row has components, within rows: rows and columns change place bit by bit of
     * their number.
     */
    static void transpose(List<String> names, CodeWriter out) {
        for (int distance = names.size() / 2; distance > 0; distance /= 2) {
            for (int i = 0; i < names.size(); i++) {
                if ((i & distance) == 0) {
                    String low = names.get(i);
                    String high = names.get(i + distance);
                    String x = "X" + distance;
                    String m = "M" + distance;
                    out.line("{");
                    out.line("var swapped = " + high + ".rearrange(" + x + ");");
                    out.line(high + " = " + low + ".rearrange(" + x + ").blend(" + high + ", " + m + ");");
                    out.line(low + " = " + low + ".blend(swapped, " + m + ");");
                    out.line("}");
                }
            }
        }
    }

    /** Turns the components of an entry, in variables, into rows. */
    void store(int p, List<String> names, CodeWriter out) {
        int row = row(parameter(p));
        for (int first = 0; first < names.size(); first += row) {
            transpose(names.subList(first, first + row), out);
        }
    }

    /** Moves the rows of all lanes to where they belong, in the order of the elements. */
    void scatter(List<Integer> parameters, CodeWriter out) {
        List<Integer> rows = parameters.stream().filter(p -> SimdStaging.chunkable(parameter(p), real)).toList();
        for (int lane = 0; lane < lanes && !rows.isEmpty(); lane++) {
            out.line("if (L > " + lane + ") {");
            for (int p : rows) {
                boolean increment = parameter(p).access() == Access.INCREMENT;
                if (increment) {
                    out.line("if (LIVE" + p + ") {");
                }
                for (int entry = 0; entry < parameter(p).entries(); entry++) {
                    scatter(p, entry, lane, out);
                }
                if (increment) {
                    out.line("}");
                }
            }
            out.line("}");
        }
    }

    private void scatter(int p, int entry, int lane, CodeWriter out) {
        int row = row(parameter(p));
        boolean increment = parameter(p).access() == Access.INCREMENT;
        String index = LoopLayout.index(p, entry) + suffix(lane);
        if (increment) {
            out.line("if (!ADD_OWNED" + p + " || (" + index + " >= ownedFrom && " + index + " < ownedTo)) {");
        }
        for (int first = 0; first < parameter(p).components(); first += row) {
            String target = place(p, entry, lane, first);
            int component = entry * parameter(p).components() + first + lane % row;
            if (!increment) {
                out.line(row(SimdStaging.result(layout, p, component), row, lane) + ".intoArray(" + target + ");");
                continue;
            }
            String values = SimdStaging.result(layout, p, component);
            if (staging.twin(p) >= 0) {
                values = "(TWIN" + p + " ? " + SimdStaging.result(layout, staging.twin(p), component) + " : " + values
                        + ")";
            }
            values = row(values, row, lane);
            boolean negative = staging.sign(p) < 0;
            out.line("if (STORE" + p + ") {");
            out.line(values + (negative ? ".neg()" : "") + ".intoArray(" + target + ");");
            out.line("} else {");
            out.line(vector + ".fromArray(S" + row + "X, " + target + ")." + (negative ? "sub" : "add") + "(" + values
                    + ").intoArray(" + target + ");");
            out.line("}");
        }
        if (increment) {
            out.line("}");
        }
    }

    /** Returns the row of a lane within a vector. */
    private String row(String name, int row, int lane) {
        int place = lane - lane % row;
        return "((" + vector + ") " + name + (place == 0 ? "" : ".rearrange(R" + row + "F" + place + ")")
                + ".reinterpretShape(S" + row + "X, 0))";
    }

    /** Returns the names of the components of an entry. */
    List<String> names(int p, int entry) {
        List<String> names = new ArrayList<>();
        for (Lowered.Component c : layout.components(p)) {
            if (c.entry() == entry) {
                names.add(c.local());
            }
        }
        return names;
    }
}
