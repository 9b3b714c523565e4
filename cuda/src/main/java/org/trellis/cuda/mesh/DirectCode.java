package org.trellis.cuda.mesh;

import org.trellis.kernel.Access;
import org.trellis.mesh.LoopDeclaration;

/** A dat of the loop's own set: its element goes through registers. */
final class DirectCode implements ArgumentCode {
    private final LoopOperands source;
    private final int argument;
    private final String name;
    private final String type;
    private final Access access;
    private final int components;
    private final String place;
    private final boolean soa;
    private final int how;
    private final boolean dropped;

    DirectCode(LoopOperands source, int a) {
        LoopDeclaration loop = source.tables().loop();
        this.source = source;
        this.argument = a;
        this.name = LoopOperands.elementName("v" + a);
        this.type = source.tables().type(a);
        this.access = loop.access(a);
        this.components = loop.signature(a).components();
        this.soa = LoopTables.soa(loop.dat(a));
        this.how = source.streaming() ? 2 : source.tables().readOnly(a) ? 1 : 0;
        this.dropped = source.form().addsStored();
        this.place = dropped ? "" : source.dat(a) + ", %s, " + LoopOperands.ELEMENT + ", " + source.stride(a);
    }

    @Override
    public void load(SourceText out) {
        if (dropped) {
            return;
        }
        if (access == Access.INCREMENT) {
            out.line(type + " " + name + "[" + components + "] = {};");
            return;
        }
        out.line(type + " " + name + "[" + components + "];");
        if (access != Access.WRITE) {
            out.line(!soa && source.paired(components, type)
                    ? "loadPair<" + components + ", " + how + ">(" + name + ", " + source.dat(argument) + ", "
                            + LoopOperands.ELEMENT
                            + ");"
                    : "loadElement<" + components + ", " + soa + ", " + how + ">(" + name + ", "
                            + place.replace("%s, ", "") + ");");
        }
    }

    @Override
    public String pass() {
        return name;
    }

    @Override
    public void store(SourceText out) {
        if (access == Access.READ) {
            return;
        }
        if (access != Access.INCREMENT && !soa && source.paired(components, type)) {
            out.line("storePair<" + components + ", " + how + ">(" + source.dat(argument) + ", " + name + ", "
                    + LoopOperands.ELEMENT + ");");
        } else if (access != Access.INCREMENT && !soa && source.exchanged(components, type)) {
            out.line("storeWarp<" + components + ", " + how + ", THREADS>(" + source.dat(argument) + ", " + name + ", "
                    + LoopOperands.ELEMENT + ");");
        } else {
            out.line((access == Access.INCREMENT
                    ? "addElement<" + components + ", " + soa
                    : "storeElement<" + components + ", " + soa + ", " + how) + ">(" + place.replace("%s", name)
                    + ");");
        }
    }

    @Override
    public String toString() {
        return name + " of " + source.tables().loop();
    }
}
