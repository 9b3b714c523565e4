package org.trellis.cuda.mesh;

import java.util.List;
import org.trellis.kernel.Access;

/**
 * A dat reached through all entries of a map that has many: as element matrices have of a matrix. Loops take the place
 * of a line for each entry, and the columns of the map are found by a table in the device's memory, since the one
 * argument of a kernel has no room for their addresses. What the kernel gets is indexed like an array of addresses.
 */
final class WideCode implements ArgumentCode {
    private final LoopOperands source;
    private final int argument;
    private final String name;
    private final String type;
    private final Access access;
    private final int components;
    private final int entries;
    private final boolean soa;
    private final boolean adds;

    WideCode(LoopOperands source, int a) {
        this.source = source;
        this.argument = a;
        this.name = LoopOperands.elementName("v" + a);
        this.type = source.tables().type(a);
        this.access = source.tables().loop().access(a);
        this.components = source.tables().loop().signature(a).components();
        this.entries = source.tables().columns(a).size();
        this.soa = LoopTables.soa(source.tables().loop().dat(a));
        this.adds = access == Access.INCREMENT;
    }

    private boolean dropped() {
        return source.form().addsStored() && !adds;
    }

    private void each(SourceText out, String line) {
        out.line("for (int k = 0; k < " + entries + "; k++) " + line);
    }

    private String target() {
        List<int[]> columns = source.tables().columns(argument);
        return source.table("t" + argument, columns) + "[k][" + LoopOperands.ELEMENT + "]";
    }

    private String place() {
        return "k * " + source.size(source.tables().loop().set()) + " + " + LoopOperands.ELEMENT;
    }

    private boolean apart() {
        return source.contributions().transposed(argument);
    }

    @Override
    public void declare(SourceText out) {
        if (adds) {
            out.line(type + " " + name + "[" + entries + "][" + components + "] = {};");
        }
    }

    @Override
    public void load(SourceText out) {
        if (dropped()) {
            return;
        }
        if (adds) {
            loadStored(out);
            return;
        }
        out.line(type + " " + name + "[" + entries + "][" + components + "];");
        if (access != Access.WRITE) {
            each(out, "loadElement<" + components + ", " + soa + ", "
                    + (source.tables().readOnly(argument) ? 1 : 0) + ">(" + name + "[k], " + source.dat(argument)
                    + ", " + target() + ", " + source.stride(argument) + ");");
        }
    }

    /** Contributions that another launch has stored take the place of what the kernel would add. */
    private void loadStored(SourceText out) {
        if (!source.form().addsStored()) {
            return;
        }
        each(out, "loadElement<" + components + ", " + apart() + ", " + source.once() + ">(" + name + "[k], "
                + source.stored(argument) + ", " + place() + ", " + source.storedStride(argument) + ");");
        if (source.contributions().sign(argument) < 0) {
            each(out, "for (int c = 0; c < " + components + "; c++) " + name + "[k][c] = -" + name + "[k][c];");
        }
    }

    @Override
    public String pass() {
        return "WideRows<" + type + ", " + entries + ", " + components + ">(" + name + ")";
    }

    @Override
    public void store(SourceText out) {
        if (access == Access.WRITE || access == Access.READ_WRITE) {
            each(out, "storeElement<" + components + ", " + soa + ", 0>(" + source.dat(argument) + ", " + name
                    + "[k], " + target() + ", " + source.stride(argument) + ");");
        }
    }

    @Override
    public void apply(SourceText out) {
        if (!adds) {
            return;
        }
        String to = ">(" + source.dat(argument) + ", " + name + "[k], " + target() + ", " + source.stride(argument)
                + ");";
        switch (source.form().increments()) {
            case PLAIN, COLOURED -> each(out, "addElement<" + components + ", " + soa + to);
            case ATOMIC -> each(out, "addElementAtomically<" + components + ", " + soa + to);
            case STORED -> {
                if (source.contributions().base(argument) == argument) {
                    each(out, "storeElement<" + components + ", " + apart() + ", " + source.once() + ">("
                            + source.stored(argument) + ", " + name + "[k], " + place() + ", "
                            + source.storedStride(argument) + ");");
                }
            }
            case SHARED, OWNED, PULLED -> throw new IllegalStateException(
                    source.form().increments() + " of " + entries + " entries");
        }
    }
}
