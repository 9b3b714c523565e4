package org.trellis.cuda.mesh;

import java.util.List;
import java.util.stream.IntStream;
import org.trellis.kernel.Access;
import org.trellis.mesh.LoopDeclaration;

/** A dat reached through one entry of a map or through all of a fixed number. */
final class IndirectCode implements ArgumentCode {
    private final LoopOperands source;
    private final int argument;
    private final String name;
    private final String type;
    private final Access access;
    private final int components;
    private final List<int[]> columns;
    private final boolean soa;
    private final SharedStages.Staged staged;
    private final boolean adds;
    private final boolean dropped;
    private final List<String> targets;
    private final String flags;

    IndirectCode(LoopOperands source, int a, SharedStages.Staged staged) {
        LoopDeclaration loop = source.tables().loop();
        this.source = source;
        this.argument = a;
        this.name = LoopOperands.elementName("v" + a);
        this.type = source.tables().type(a);
        this.access = loop.access(a);
        this.components = loop.signature(a).components();
        this.columns = source.tables().columns(a);
        this.soa = LoopTables.soa(loop.dat(a));
        this.staged = staged;
        this.adds = access == Access.INCREMENT;
        this.dropped = source.form().addsStored() && !(adds && loop.map(a) != null);
        this.flags = components + ", " + soa;
        this.targets = dropped || stores() || pulled() ? List.of() : columns.stream().map(this::target).toList();
    }

    private boolean stores() {
        return adds && source.form().increments() == LoopForm.Increments.STORED;
    }

    private boolean pulled() {
        return adds && source.form().pulls();
    }

    private boolean owned() {
        return adds && source.form().increments() == LoopForm.Increments.OWNED;
    }

    /** The variable that says where an entry's element is. */
    private String target(int[] column) {
        return staged != null && !owned() ? source.place(column) : source.index(column);
    }

    private boolean single() {
        return source.tables().direct(argument) || source.tables().loop().signature(argument).entries() == 1;
    }

    private String part(int entry) {
        return single() ? name : name + "[" + entry + "]";
    }

    @Override
    public void declare(SourceText out) {
        if (adds && !dropped) {
            out.line(type + " " + name + (single() ? "" : "[" + columns.size() + "]") + "[" + components + "] = {};");
        }
    }

    @Override
    public void load(SourceText out) {
        if (dropped) {
            return;
        }
        if (adds) {
            loadStored(out);
            declareRows(out);
            return;
        }
        out.line(type + " " + name + (single() ? "" : "[" + columns.size() + "]") + "[" + components + "];");
        declareRows(out);
        if (access == Access.WRITE) {
            return;
        }
        for (int k = 0; k < columns.size(); k++) {
            out.line(staged != null
                    ? "loadShared<" + components + ">(" + part(k) + ", " + staged.pointer() + ", " + staged.capacity()
                            + ", " + targets.get(k) + ");"
                    : "loadElement<" + flags + ", " + (source.tables().readOnly(argument) ? 1 : 0) + ">(" + part(k)
                            + ", "
                            + source.dat(argument) + ", " + targets.get(k) + ", " + source.stride(argument) + ");");
        }
    }

    /** Contributions that another launch has stored take the place of what the kernel would add. */
    private void loadStored(SourceText out) {
        if (!source.form().addsStored()) {
            return;
        }
        boolean negative = source.contributions().sign(argument) < 0;
        for (int k = 0; k < columns.size(); k++) {
            out.line("loadElement<" + components + ", " + apart() + ", " + source.once() + ">(" + part(k) + ", "
                    + source.stored(argument) + ", " + storedPlace(k) + ", " + source.storedStride(argument) + ");");
            if (negative) {
                for (int c = 0; c < components; c++) {
                    out.line(part(k) + "[" + c + "] = -" + part(k) + "[" + c + "];");
                }
            }
        }
    }

    /** Says whether the components of stored contributions lie apart. */
    private boolean apart() {
        return source.contributions().transposed(argument);
    }

    private String storedPlace(int entry) {
        return entry == 0
                ? LoopOperands.ELEMENT
                : entry + " * " + source.size(source.tables().loop().set()) + " + " + LoopOperands.ELEMENT;
    }

    /** Several entries are handed over as an array of their addresses. */
    @Override
    public String pass() {
        return single() ? name : LoopOperands.elementName("rows" + argument);
    }

    private void declareRows(SourceText out) {
        if (!single()) {
            List<String> rows = IntStream.range(0, columns.size()).mapToObj(this::part).toList();
            out.line(type + "* const " + LoopOperands.elementName("rows" + argument) + "[" + columns.size() + "] = {"
                    + String.join(", ", rows)
                    + "};");
        }
    }

    @Override
    public void store(SourceText out) {
        if (access == Access.WRITE || access == Access.READ_WRITE) {
            for (int k = 0; k < columns.size(); k++) {
                out.line("storeElement<" + flags + ", 0>(" + source.dat(argument) + ", " + part(k) + ", "
                        + targets.get(k)
                        + ", " + source.stride(argument) + ");");
            }
        }
    }

    @Override
    public void apply(SourceText out) {
        if (!adds || dropped) {
            return;
        }
        if (stores()) {
            if (source.contributions().base(argument) == argument) {
                for (int k = 0; k < columns.size(); k++) {
                    String what = ", " + source.once() + ">(" + source.stored(argument) + ", " + part(k) + ", "
                            + storedPlace(k);
                    out.line(!apart() && source.paired(components, type)
                            ? "storePair<" + components + what + ");"
                            : "storeElement<" + components + ", " + apart() + what + ", "
                                    + source.storedStride(argument) + ");");
                }
            }
            return;
        }
        for (int k = 0; k < columns.size(); k++) {
            if (pulled()) {
                out.line("if (" + PullCode.SLOT + " == " + source.pull().slot(columns.get(k)) + ") "
                        + source.pull().sum(argument) + ".add(" + part(k) + ");");
            } else {
                applyEntry(out, part(k), targets.get(k));
            }
        }
    }

    private void applyEntry(SourceText out, String from, String target) {
        switch (source.form().increments()) {
            case PLAIN, COLOURED -> out.line("addElement<" + flags + ">(" + source.dat(argument) + ", " + from + ", "
                    + target + ", " + source.stride(argument) + ");");
            case ATOMIC -> out.line("addElementAtomically<" + flags + ">(" + source.dat(argument) + ", " + from + ", "
                    + target + ", " + source.stride(argument) + ");");
            case SHARED -> out.line("addShared<" + components + ">(" + staged.pointer() + ", " + from + ", "
                    + staged.capacity() + ", " + target + ");");
            case OWNED -> out.line("if ((unsigned) (" + target + " - ownedFirst) < (unsigned) ownedCount) addShared<"
                    + components + ">(" + staged.pointer() + ", " + from + ", " + staged.capacity() + ", " + target
                    + " - ownedFirst);");
            case STORED, PULLED -> throw new IllegalStateException(source.form().increments() + " have no target");
        }
    }
}
