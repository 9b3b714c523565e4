package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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
     * Writes the loop over targets. The place of an element is read two elements ahead, and what it reaches through
     * maps is looked up one ahead: loads that hang on each other wait while another element is computed.
     *
     * @param out    takes the text
     * @param lookUp writes what an element reaches, each line behind what is given
     * @param body   writes the rest of an element
     */
    void targets(SourceText out, Consumer<String> lookUp, Runnable body) {
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

    /** Elements of a target that has some; behind the last one, it is looked up again. */
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
        LoopDeclaration loop = tables.loop();
        int elements = loop.set().size();
        List<Integer> firsts = new ArrayList<>();
        for (int slot = 0; slot < slots.size(); slot++) {
            firsts.add(slot * elements);
        }
        return SignedInverse.of(loop.set().mesh(), set.size(), slots, firsts, Collections.nCopies(slots.size(), 1));
    }
}
