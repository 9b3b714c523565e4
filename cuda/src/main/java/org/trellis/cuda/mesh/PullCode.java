package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;

/**
 * The C around the elements of a loop that its targets run: a thread loads what its target has, runs the kernel for
 * each element that adds to it, keeps from each what is its own, and stores the sum. Elements come in one order,
 * always: the same bits in each run.
 *
 * <p>Each column of a map through which elements add is a slot. A place in the list of a target is the number of the
 * element, plus the number of elements times the slot.
 */
final class PullCode {
    /** The variable that says through which column an element adds to the target. */
    static final String SLOT = LoopOperands.elementName("slot");

    private static final String NEXT = "_next";
    private static final String[] BASES = {"x", "y", "z", "w"};

    private final LoopOperands source;
    private final LoopTables tables;
    private final List<int[]> slots;
    private final List<Integer> adding;
    private final MeshSet set;

    PullCode(LoopOperands source) {
        this.source = source;
        this.tables = source.tables();
        LoopDeclaration loop = tables.loop();
        this.slots = slots(tables);
        this.adding = new ArrayList<>();
        for (int a = 0; a < loop.arity(); a++) {
            int dat = loop.incrementsIndirectly(a) ? tables.dat(a) : -1;
            if (dat >= 0 && adding.stream().noneMatch(b -> tables.dat(b) == dat)) {
                adding.add(a);
            }
        }
        this.set = targets(loop);
    }

    /** Returns the columns through which a loop adds, each once. */
    static List<int[]> slots(LoopTables tables) {
        List<int[]> slots = new ArrayList<>();
        for (int a = 0; a < tables.loop().arity(); a++) {
            if (tables.loop().incrementsIndirectly(a)) {
                for (int[] column : tables.columns(a)) {
                    if (!slots.contains(column)) {
                        slots.add(column);
                    }
                }
            }
        }
        return slots;
    }

    /** Returns the set of the targets. */
    static MeshSet targets(LoopDeclaration loop) {
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.incrementsIndirectly(a)) {
                return loop.dat(a).set();
            }
        }
        throw new IllegalStateException(loop + " adds through no map");
    }

    /** Says why a list of places cannot be made. */
    static Optional<String> objection(LoopDeclaration loop, LoopParameters parameters) {
        if (parameters.scheme() != LoopScheme.RECOMPUTE) {
            return Optional.empty();
        }
        long places = (long) loop.set().size() * slots(new LoopTables(loop)).size();
        return places <= Integer.MAX_VALUE
                ? Optional.empty()
                : Optional.of("recompute of " + loop + " with " + places + " places that elements add to, expected at "
                        + "most " + Integer.MAX_VALUE + "; another scheme works");
    }

    /** Returns the number of a column. */
    int slot(int[] column) {
        return slots.indexOf(column);
    }

    /** Returns the variable that an element adds to for an argument's dat. */
    String sum(int argument) {
        return perTarget() == 1 ? total(argument) : "part" + tables.dat(argument);
    }

    private String total(int argument) {
        return "sum" + tables.dat(argument);
    }

    private int perTarget() {
        return source.form().perTarget();
    }

    /**
     * Writes the loop over targets.
     *
     * @param out    takes the text
     * @param lookUp writes what an element reaches, each line behind what is given
     * @param body   writes the rest of an element
     */
    void targets(SourceText out, Consumer<String> lookUp, Runnable body) {
        if (sliced()) {
            slices(out, body);
            return;
        }
        boolean some = tables.range() != null;
        String count = some ? source.struct().number("count", () -> 0) : source.size(set);
        String offsets = source.array("pullOffsets", "const int", () -> some ? part().offsets() : inverse().offsets());
        String places = source.array("pullPlaces", "const int",
                () -> some ? part().places() : inverse().places());
        String position = some ? "at" : "target";
        String share = perTarget() == 1 ? "" : " / " + perTarget();
        out.open("for (unsigned " + position + " = (blockIdx.x * THREADS + threadIdx.x)" + share + "; " + position
                + " < (unsigned) " + count + "; " + position + " += gridDim.x * THREADS" + share + ")");
        if (some) {
            out.line("const int target = " + source.array("pullTargets", "const int", part().targets()) + "[at];");
        }
        adding.forEach(a -> open(out, a));
        out.line("const int end = " + offsets + "[" + position + " + 1];");
        if (perTarget() > 1) {
            shared(out, offsets + "[" + position + "]", places, lookUp, body);
        } else {
            out.open("if (int p = " + offsets + "[" + position + "]; p < end)");
            elements(out, places, lookUp, body);
            out.close();
        }
        adding.forEach(a -> close(out, a));
        out.close();
    }

    /**
     * Elements of a target by several threads, one each at a time. All of them add what each has found, in the order of
     * the elements: the same bits as by one thread.
     */
    private void shared(SourceText out, String begin, String places, Consumer<String> lookUp, Runnable body) {
        int threads = perTarget();
        out.open("for (int first = " + begin + "; first < end; first += " + threads + ")");
        adding.forEach(a -> out.line("Sum<" + tables.type(a) + ", " + components(a) + "> " + sum(a) + " = {};"));
        out.open("if (const int p = first + threadIdx.x % " + threads + "; p < end)");
        place(out, "int ", places + "[p]");
        lookUp.accept("int ");
        body.run();
        out.close();
        adding.forEach(a -> out.line(total(a) + ".addAll<" + threads + ">(" + sum(a) + ", end - first);"));
        out.close();
    }

    /**
     * Elements of a target that has some; behind the last one, it is looked up again. The place of an element is read
     * two elements ahead, and what it reaches through maps is looked up one ahead: loads that hang on each other wait
     * while another element is computed.
     */
    private void elements(SourceText out, String places, Consumer<String> lookUp, Runnable body) {
        out.element(NEXT);
        place(out, "int ", places + "[p]");
        lookUp.accept("int ");
        out.line("int following = " + places + "[end - p > 1 ? p + 1 : p];");
        out.element("");
        out.open("for (; p < end; p++)");
        for (String name : lookedUp()) {
            out.line("const int " + name + " = " + name.replace(SourceText.OF_ELEMENT, NEXT) + ";");
        }
        out.element(NEXT);
        place(out, "", "following");
        lookUp.accept("");
        out.line("following = " + places + "[end - p > 2 ? p + 2 : p];");
        out.element("");
        body.run();
        out.close();
    }

    private List<String> lookedUp() {
        List<String> names = new ArrayList<>(List.of(LoopOperands.ELEMENT, SLOT));
        source.indexColumns().keySet().forEach(number -> names.add(LoopOperands.elementName("i" + number)));
        return names;
    }

    /** Says whether a thread has a target of the whole set. */
    private boolean sliced() {
        return tables.range() == null && perTarget() == 1;
    }

    /**
     * Lists the tables of slices: elements, if an argument asks for them or there is nothing else; each column that
     * elements reach; and of an element with two targets the other one, since the thread's own is known.
     */
    private TargetSlices.Columns columns() {
        LoopDeclaration loop = tables.loop();
        boolean elements = IntStream.range(0, loop.arity()).anyMatch(a -> loop.dat(a) != null
                && (loop.map(a) == null || LoopTables.byRows(loop, a) || tables.wide(a)));
        List<List<int[]>> reached = new ArrayList<>();
        boolean others = false;
        for (int[] column : source.indexColumns().values()) {
            if (!known(column)) {
                reached.add(Collections.nCopies(slots.size(), column));
            }
            others |= known(column) && slots.size() == TargetSlices.PAIR;
        }
        if (others) {
            reached.add(slots.reversed());
        }
        if (elements || reached.isEmpty() || slots.size() > TargetSlices.PAIR) {
            reached.addFirst(List.of());
        }
        return new TargetSlices.Columns(slots, reached);
    }

    /** Says whether a column leads to the thread's own target or the other one of an element. */
    private boolean known(int[] column) {
        return slots.size() <= TargetSlices.PAIR && slots.contains(column);
    }

    /** Elements of targets as slices have them; what an element reaches is asked for one element ahead. */
    private void slices(SourceText out, Runnable body) {
        TargetSlices.Columns columns = columns();
        Supplier<TargetSlices> slices = () -> TargetSlices.of(set.mesh(), set.size(), columns);
        if (source.expected()) {
            TargetSlices.expect(set.mesh(), set.size(), columns);
        }
        boolean narrow = source.expected() ? TargetSlices.mayBeNarrow(columns) : slices.get().narrow();
        String targets = source.size(set);
        String runs = source.array("pullRuns", "const int", () -> slices.get().runs());
        String rows = source.array("pullRows", "const int", () -> slices.get().rows());
        int length = TargetRuns.LENGTH;
        out.open("for (unsigned at = blockIdx.x * THREADS + threadIdx.x; at < ((unsigned) " + targets
                + " + 31) / 32 * 32; at += gridDim.x * THREADS)");
        out.line("const int target = " + runs + "[at / " + length + "] * " + length + " + at % " + length + ";");
        out.open("if (target < " + targets + ")");
        adding.forEach(a -> open(out, a));
        out.line("int row = " + rows + "[at / 32];");
        out.line("const int end = " + rows + "[at / 32 + 1];");
        out.element(NEXT);
        entries(out, columns, slices, narrow, true);
        out.element("");
        out.open("while (" + entry(0).replace(SourceText.OF_ELEMENT, NEXT) + " != " + none(narrow) + ")");
        for (int table = 0; table < columns.reached().size(); table++) {
            out.line("const int " + entry(table) + " = " + entry(table).replace(SourceText.OF_ELEMENT, NEXT) + ";");
        }
        if (narrow) {
            out.line("const int4 " + LoopOperands.elementName("bases") + " = bases" + NEXT + ";");
        }
        out.line("row++;");
        out.element(NEXT);
        entries(out, columns, slices, narrow, false);
        out.element("");
        reach(out, columns, narrow);
        body.run();
        out.close();
        adding.forEach(a -> close(out, a));
        out.close();
        out.close();
    }

    private static String none(boolean narrow) {
        return narrow ? "0xffff" : "-1";
    }

    private static String entry(int table) {
        return LoopOperands.elementName("t" + table);
    }

    /** Asks for the entries of a row. */
    private void entries(SourceText out, TargetSlices.Columns columns, Supplier<TargetSlices> slices, boolean narrow,
            boolean declare) {
        if (narrow) {
            String bases = source.array("pullBases", "const int4", () -> slices.get().bases());
            if (declare) {
                out.line("int4 " + LoopOperands.elementName("bases") + " = {};");
            }
            out.line("if (row < end) " + LoopOperands.elementName("bases") + " = " + bases + "[row];");
        }
        for (int table = 0; table < columns.reached().size(); table++) {
            int number = table;
            String array = source.array("pull" + table, narrow ? "const unsigned short" : "const int",
                    () -> slices.get().tables().get(number));
            out.line((declare ? "int " : "") + entry(table) + " = row < end ? "
                    + source.once(array, "row * 32 + (at & 31)") + " : " + none(narrow) + ";");
        }
    }

    /** What an element reaches, from its entries. */
    private void reach(SourceText out, TargetSlices.Columns columns, boolean narrow) {
        List<String> found = new ArrayList<>();
        for (int table = 0; table < columns.reached().size(); table++) {
            String bits = table > 0 || slots.size() > TargetSlices.PAIR ? "" : narrow ? " & 0x7fff" : " & 0x7fffffff";
            String base = narrow ? LoopOperands.elementName("bases") + "." + BASES[table] + " + " : "";
            found.add(base + (bits.isEmpty() ? entry(table) : "(" + entry(table) + bits + ")"));
        }
        int next = 0;
        if (columns.reached().getFirst().isEmpty()) {
            next = 1;
            if (slots.size() > TargetSlices.PAIR) {
                place(out, "int ", found.getFirst());
            } else {
                out.line("const int " + LoopOperands.ELEMENT + " = " + found.getFirst() + ";");
            }
        }
        if (slots.size() <= TargetSlices.PAIR) {
            out.line("const int " + SLOT + " = (unsigned) " + entry(0) + " >> " + (narrow ? 15 : 31) + ";");
        }
        for (Map.Entry<Integer, int[]> column : source.indexColumns().entrySet()) {
            String value;
            if (!known(column.getValue())) {
                value = found.get(next++);
            } else if (slots.size() == 1) {
                value = "target";
            } else {
                value = SLOT + " == " + slots.indexOf(column.getValue()) + " ? target : " + found.getLast();
            }
            out.line("const int " + LoopOperands.elementName("i" + column.getKey()) + " = " + value + ";");
        }
    }

    /** The element of a place, and its slot. */
    private void place(SourceText out, String declare, String place) {
        String e = LoopOperands.ELEMENT;
        out.line(declare + e + " = " + place + ";");
        out.line(declare + SLOT + " = 0;");
        String elements = source.size(tables.loop().set());
        for (int k = 1; k < slots.size(); k++) {
            out.line("if (" + e + " >= " + elements + ") { " + e + " -= " + elements + "; " + SLOT + "++; }");
        }
    }

    private void open(SourceText out, int a) {
        out.line("Sum<" + tables.type(a) + ", " + components(a) + "> " + total(a) + ";");
        out.line("loadElement<" + components(a) + ", " + LoopTables.soa(tables.loop().dat(a)) + ", 0>(" + total(a)
                + ".values, " + source.dat(a) + ", target, " + source.stride(a) + ");");
    }

    private void close(SourceText out, int a) {
        String alone = perTarget() == 1 ? "" : "if (threadIdx.x % " + perTarget() + " == 0) ";
        out.line(alone + "storeElement<" + components(a) + ", " + LoopTables.soa(tables.loop().dat(a)) + ", 0>("
                + source.dat(a) + ", " + total(a) + ".values, target, " + source.stride(a) + ");");
    }

    private int components(int a) {
        Dat dat = tables.loop().dat(a);
        return dat.components();
    }

    private RangeInverse part() {
        return part(tables);
    }

    /** Returns the targets of the elements that are run, and where these are. */
    static RangeInverse part(LoopTables tables) {
        LoopDeclaration loop = tables.loop();
        List<int[]> slots = slots(tables);
        List<RangeInverse.Column> columns = new ArrayList<>();
        for (int slot = 0; slot < slots.size(); slot++) {
            columns.add(new RangeInverse.Column(slots.get(slot), tables.range().from(), tables.range().to(),
                    slot * loop.set().size(), 1));
        }
        return RangeInverse.of(loop.set().mesh(), targets(loop).size(), columns, columns);
    }

    private SignedInverse inverse() {
        return SignedInverse.inOrder(tables.loop().set().mesh(), set.size(), slots);
    }
}
