package org.trellis.processor.emit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Parameter;
import org.trellis.processor.model.ValueType;

/**
 * Writes how the components of a batch of elements are moved between dats and scratch. If those of an element lie side
 * by side, four elements are moved at a time, in short vectors of four and of two components that are transposed in
 * registers, so that scratch is written and read by whole vectors; everything else is moved one by one.
 */
final class SegmentedRows {
    /** The elements and components that are transposed together. */
    private static final int FOUR = 4;
    /** The short vectors of one element that a method stores, unless components of one number are more. */
    private static final int MOST_VECTORS = 4;

    private final LoopLayout layout;
    private final SimdStaging staging;
    private final ToIntFunction<String> slots;
    private final Map<Lowered.Component, String> results;
    private final RealType real;
    private final String vector;

    /**
     * Creates a writer.
     *
     * @param slots   where variables are kept in scratch
     * @param results the variables that hold what is stored or added
     */
    SegmentedRows(LoopLayout layout, SimdStaging staging, ToIntFunction<String> slots,
            Map<Lowered.Component, String> results) {
        this.layout = layout;
        this.staging = staging;
        this.slots = slots;
        this.results = results;
        real = layout.real();
        vector = real.label() + "Vector";
    }

    private Parameter parameter(int p) {
        return layout.kernel().parameters().get(p);
    }

    private boolean reals(int p) {
        return parameter(p).type() == ValueType.REAL;
    }

    private boolean inRows(int p) {
        return reals(p) && parameter(p).components() > 1;
    }

    /** Writes species, shuffles and masks. */
    void fields(CodeWriter out) {
        String type = "<" + real.label() + "> ";
        out.line("private static final VectorSpecies" + type + "Q = VectorSpecies.of(" + real.keyword()
                + ".class, VectorShape.forBitSize(Math.min(" + FOUR * real.bytes() * Byte.SIZE
                + ", VECTORS.vectorBitSize())));");
        out.line("private static final VectorSpecies" + type + "P = VectorSpecies.of(" + real.keyword()
                + ".class, VectorShape.forBitSize(" + 2 * real.bytes() * Byte.SIZE + "));");
        out.line("private static final boolean FOUR = Q.length() == " + FOUR + ";");
        for (int distance = 1; distance < FOUR; distance *= 2) {
            out.line("private static final VectorShuffle" + type + "X" + distance
                    + " = VectorShuffle.fromOp(Q, lane -> (lane ^ " + distance + ") & (Q.length() - 1));");
            out.line("private static final VectorMask" + type + "M" + distance + " = VectorMask.fromLong(Q, "
                    + (distance == 1 ? 10 : 12) + "L);");
        }
        for (int p : layout.fixed()) {
            if (inRows(p)) {
                out.line("private static final boolean ROWS" + p + " = FOUR && E" + p + " == "
                        + parameter(p).components() + " && C" + p + " == 1;");
            }
        }
    }

    private String parameters(List<Integer> moved, boolean typed) {
        List<String> names = new ArrayList<>();
        for (int p : moved) {
            names.add((typed ? layout.type(p) + "[] " : "") + "a" + p);
            for (int entry = 0; entry < parameter(p).entries(); entry++) {
                names.add((typed ? "int[] " : "") + LoopLayout.target(p, entry));
            }
        }
        names.add((typed ? "int[] " : "") + "order");
        names.add((typed ? real.keyword() + "[] " : "") + "w");
        names.add((typed ? "int[] " : "") + "wi");
        names.add((typed ? "int " : "") + "n");
        return String.join(", ", names);
    }

    String loadCall(int p) {
        return "load" + p + "(" + parameters(List.of(p), false) + ");";
    }

    private String index(int p, int entry, String element) {
        return (parameter(p).entries() == 1 ? "(D" + p + " ? " + element + " : " : "(")
                + LoopLayout.target(p, entry) + "[" + element + "])";
    }

    private static String element(String number) {
        return "ORDERED ? order[n + " + number + "] : n + " + number;
    }

    private String scratch(int p, String name, String lane) {
        return (reals(p) ? "w[" : "wi[") + slots.applyAsInt(name) + " * B + " + lane + "]";
    }

    /** Writes the method that loads a parameter. */
    void load(int p, CodeWriter out) {
        out.line("private static void load" + p + "(" + parameters(List.of(p), true) + ") {");
        if (inRows(p)) {
            out.line("if (ROWS" + p + ") {");
            out.line("for (int l = 0; l < B; l += " + FOUR + ") {");
            elements(out);
            for (int entry = 0; entry < parameter(p).entries(); entry++) {
                out.line("{");
                loadRows(p, entry, out);
                out.line("}");
            }
            out.line("}");
            out.line("return;");
            out.line("}");
        }
        out.line("for (int l = 0; l < B; l++) {");
        out.line("int e = " + element("l") + ";");
        for (int entry = 0; entry < parameter(p).entries(); entry++) {
            out.line("int " + LoopLayout.index(p, entry) + " = " + index(p, entry, "e") + ";");
        }
        for (Lowered.Component c : layout.components(p)) {
            out.line(scratch(p, c.local(), "l") + " = " + LoopLayout.place(c) + ";");
        }
        out.line("}");
        out.line("}");
    }

    private static void elements(CodeWriter out) {
        for (int lane = 0; lane < FOUR; lane++) {
            out.line("int e" + lane + " = " + element("l + " + lane) + ";");
        }
    }

    /** Returns how many components from one on are moved by one vector. */
    private int width(int p, int first) {
        int left = parameter(p).components() - first;
        return !inRows(p) || left < 2 ? 1 : left < FOUR ? 2 : FOUR;
    }

    private void indices(int p, int entry, CodeWriter out) {
        for (int lane = 0; lane < FOUR; lane++) {
            String name = LoopLayout.index(p, entry) + "l" + lane;
            out.line("int " + name + "t = " + index(p, entry, "e" + lane) + ";");
            out.line("int " + name + " = " + name + "t * E" + p + ";");
        }
    }

    /** Where a component is: of rows beside the one before it; integers are moved one by one, wherever they lie. */
    private String place(int p, int entry, int lane, int first) {
        String offset = first == 0 ? "" : " + " + first + (inRows(p) ? "" : " * C" + p);
        return LoopLayout.index(p, entry) + "l" + lane + offset;
    }

    private void loadRows(int p, int entry, CodeWriter out) {
        indices(p, entry, out);
        List<Lowered.Component> all = layout.components(p).stream().filter(c -> c.entry() == entry).toList();
        int width;
        for (int first = 0; first < parameter(p).components(); first += width) {
            width = width(p, first);
            if (width == 1) {
                for (int lane = 0; lane < FOUR; lane++) {
                    out.line(scratch(p, all.get(first).local(), "l + " + lane) + " = a" + p + "["
                            + place(p, entry, lane, first) + "];");
                }
                continue;
            }
            List<String> names = all.subList(first, first + width).stream().map(Lowered.Component::local).toList();
            for (int k = 0; k < width; k++) {
                String row = vector + ".fromArray(" + (width == 2 ? "P" : "Q") + ", a" + p + ", ";
                out.line(vector + " " + names.get(k) + " = " + (width == 2
                        ? wide(row + place(p, entry, k, first) + ")") + ".blend("
                                + wide(row + place(p, entry, k + 2, first) + ")") + ".rearrange(X2), M2)"
                        : row + place(p, entry, k, first) + ")") + ";");
            }
            SimdRows.transpose(names, out);
            for (String name : names) {
                out.line(name + ".intoArray(w, " + slots.applyAsInt(name) + " * B + l);");
            }
        }
    }

    private String wide(String pair) {
        return "((" + vector + ") " + pair + ".reinterpretShape(Q, 0))";
    }

    /**
     * Divides what is stored by components: those of one number stay together, since arguments may be of one dat.
     *
     * @param stored parameters
     * @return for each method, where its first components of short vectors are
     */
    List<Set<Integer>> stores(List<Integer> stored) {
        Map<Integer, Integer> sizes = new TreeMap<>();
        for (int p : stored) {
            for (int first = 0; first < parameter(p).components(); first += width(p, first)) {
                sizes.merge(first, parameter(p).entries(), Integer::sum);
            }
        }
        List<Set<Integer>> stores = new ArrayList<>();
        int vectors = MOST_VECTORS;
        for (Map.Entry<Integer, Integer> size : sizes.entrySet()) {
            vectors += size.getValue();
            if (vectors > MOST_VECTORS) {
                stores.add(new TreeSet<>());
                vectors = size.getValue();
            }
            stores.getLast().add(size.getKey());
        }
        return stores;
    }

    String storeCall(List<Integer> stored, int number) {
        return "store" + number + "(" + parameters(stored, false) + owned(stored, "") + ");";
    }

    private String owned(List<Integer> stored, String type) {
        return stored.stream().anyMatch(p -> parameter(p).access() == Access.INCREMENT)
                ? ", " + type + "ownedFrom, " + type + "ownedTo"
                : "";
    }

    /**
     * Writes one of the methods that add and store results, element by element, since elements may share targets.
     *
     * @param stored parameters
     * @param number which of {@link #stores}
     */
    void store(List<Integer> stored, int number, CodeWriter out) {
        Set<Integer> firsts = stores(stored).get(number);
        out.line("private static void store" + number + "(" + parameters(stored, true) + owned(stored, "int ") + ") {");
        List<Integer> moved = stored.stream().filter(this::inRows).toList();
        if (!moved.isEmpty()) {
            out.line("if (" + String.join(" && ", moved.stream().map(p -> "ROWS" + p).toList()) + ") {");
            out.line("for (int l = 0; l < B; l += " + FOUR + ") {");
            elements(out);
            for (int p : stored) {
                for (int entry = 0; entry < parameter(p).entries(); entry++) {
                    indices(p, entry, out);
                    if (inRows(p) && staging.twin(p) < 0) {
                        resultRows(p, entry, firsts, out);
                    }
                }
            }
            for (int lane = 0; lane < FOUR; lane++) {
                for (int p : stored) {
                    storeRows(p, lane, firsts, out);
                }
            }
            out.line("}");
            out.line("return;");
            out.line("}");
        }
        out.line("for (int l = 0; l < B; l++) {");
        out.line("int e = " + element("l") + ";");
        for (int p : stored) {
            for (int entry = 0; entry < parameter(p).entries(); entry++) {
                String name = LoopLayout.index(p, entry);
                out.line("int " + name + "t = " + index(p, entry, "e") + ";");
                out.line("int " + name + " = " + name + "t * E" + p + ";");
                within(p, name, out);
                for (int c : components(p, firsts)) {
                    storeOne(new Lowered.Component(p, entry, c),
                            name + " + " + c + " * C" + p, "l", out);
                }
                end(p, out);
            }
        }
        out.line("}");
        out.line("}");
    }

    /** Returns the components that begin somewhere or belong to a short vector that does. */
    private List<Integer> components(int p, Set<Integer> firsts) {
        List<Integer> found = new ArrayList<>();
        int width;
        for (int first = 0; first < parameter(p).components(); first += width) {
            width = width(p, first);
            for (int k = 0; k < width && firsts.contains(first); k++) {
                found.add(first + k);
            }
        }
        return found;
    }

    /** Begins what is done with a target only if it is owned. */
    private void within(int p, String place, CodeWriter out) {
        if (parameter(p).access() == Access.INCREMENT) {
            out.line("if (ADD" + p + " || STORE" + p + " || (ADD_OWNED" + p + " && " + place + "t >= ownedFrom && "
                    + place + "t < ownedTo)) {");
        }
    }

    private void end(int p, CodeWriter out) {
        if (parameter(p).access() == Access.INCREMENT) {
            out.line("}");
        }
    }

    private String source(Lowered.Component c) {
        int twin = staging.twin(c.parameter());
        return results.get(twin < 0 ? c : new Lowered.Component(twin, c.entry(), c.component()));
    }

    private void storeOne(Lowered.Component c, String index, String lane, CodeWriter out) {
        int p = c.parameter();
        String place = "a" + p + "[" + index + "]";
        String source = source(c);
        if (parameter(p).access() != Access.INCREMENT) {
            out.line(place + " = " + scratch(p, source, lane) + ";");
            return;
        }
        boolean negative = staging.sign(p) < 0;
        out.line("if (STORE" + p + ") {");
        out.line(place + " = " + (source == null ? "0" : (negative ? "-" : "") + scratch(p, source, lane)) + ";");
        if (source != null) {
            out.line("} else {");
            out.line(place + (negative ? " -= " : " += ") + scratch(p, source, lane) + ";");
        }
        out.line("}");
    }

    private static String row(int p, int entry, int first, int k) {
        return "s" + p + "e" + entry + "c" + (first + k);
    }

    /** Declares the rows of results: each of four components, or two of two. */
    private void resultRows(int p, int entry, Set<Integer> firsts, CodeWriter out) {
        int width;
        for (int first = 0; first < parameter(p).components(); first += width) {
            width = width(p, first);
            if (width == 1 || !firsts.contains(first)) {
                continue;
            }
            List<String> names = new ArrayList<>();
            for (int k = 0; k < width; k++) {
                String source = results.get(new Lowered.Component(p, entry, first + k));
                names.add(row(p, entry, first, k));
                // What adds nothing is the zero that, added or subtracted, leaves zeros their sign.
                out.line(vector + " " + names.get(k) + " = " + (source == null
                        ? vector + ".broadcast(Q, STORE" + p + " == " + (staging.sign(p) < 0) + " ? -0.0f : 0.0f)"
                        : vector + ".fromArray(Q, w, " + slots.applyAsInt(source) + " * B + l)") + ";");
            }
            SimdRows.transpose(names, out);
        }
    }

    private void storeRows(int p, int lane, Set<Integer> firsts, CodeWriter out) {
        for (int entry = 0; entry < parameter(p).entries(); entry++) {
            within(p, LoopLayout.index(p, entry) + "l" + lane, out);
            int width;
            for (int first = 0; first < parameter(p).components(); first += width) {
                width = width(p, first);
                if (!firsts.contains(first)) {
                    continue;
                }
                if (width == 1) {
                    storeOne(new Lowered.Component(p, entry, first), place(p, entry, lane, first), "l + " + lane, out);
                } else {
                    storeRow(p, entry, lane, first, out);
                }
            }
            end(p, out);
        }
    }

    private void storeRow(int p, int entry, int lane, int first, CodeWriter out) {
        int twin = staging.twin(p);
        String value = row(twin < 0 ? p : twin, entry, first, lane % width(p, first));
        String target = "a" + p + ", " + place(p, entry, lane, first);
        String species = "Q";
        if (width(p, first) == 2) {
            species = "P";
            value = "((" + vector + ") " + value + (lane < 2 ? "" : ".rearrange(X2)") + ".reinterpretShape(P, 0))";
        }
        if (parameter(p).access() != Access.INCREMENT) {
            out.line(value + ".intoArray(" + target + ");");
            return;
        }
        boolean negative = staging.sign(p) < 0;
        out.line("if (STORE" + p + ") {");
        out.line(value + (negative ? ".neg()" : "") + ".intoArray(" + target + ");");
        out.line("} else {");
        out.line(vector + ".fromArray(" + species + ", " + target + ")." + (negative ? "sub" : "add") + "(" + value
                + ").intoArray(" + target + ");");
        out.line("}");
    }
}
