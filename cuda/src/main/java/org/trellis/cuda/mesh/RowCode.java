package org.trellis.cuda.mesh;

import org.trellis.kernel.Access;
import org.trellis.mesh.LoopDeclaration;

/** A dat reached through all entries of a map of variable arity: the kernel works on it in place. */
final class RowCode implements ArgumentCode {
    private final LoopOperands source;
    private final int argument;
    private final Access access;
    private final int components;
    private final String first;
    private final String length;
    private final boolean dropped;

    RowCode(LoopOperands source, int a) {
        LoopDeclaration loop = source.tables().loop();
        this.source = source;
        this.argument = a;
        this.first = LoopOperands.elementName("o" + a);
        this.length = LoopOperands.elementName("c" + a);
        this.access = loop.access(a);
        this.components = loop.signature(a).components();
        this.dropped = source.form().addsStored();
    }

    private boolean stores() {
        return access == Access.INCREMENT && source.form().increments() == LoopForm.Increments.STORED;
    }

    /**
     * Rows that are read by consecutive elements lie in slices, if the kernel says how far apart it takes entries, as
     * generated ones do, and unless others of the loop are added to.
     */
    private boolean sliced() {
        LoopDeclaration loop = source.tables().loop();
        return !LoopTables.addsThroughRows(loop) && !source.form().listed() && !source.form().blocks()
                && !source.form().addsStored()
                && loop.kernel().cudaSource().contains("PITCH_" + loop.signature(argument).name());
    }

    /** Says how far apart the entries of a row are. */
    String pitch() {
        return sliced()
                ? "#define PITCH_" + source.tables().loop().signature(argument).name() + " " + RowSlices.ROWS + "\n"
                : "";
    }

    @Override
    public void load(SourceText out) {
        if (dropped) {
            return;
        }
        LoopDeclaration loop = source.tables().loop();
        String e = LoopOperands.ELEMENT;
        if (sliced()) {
            RowSlices slices = source.tables().slices(argument);
            out.line("const int " + first + " = " + source.array("o" + argument, "const int", slices.starts()) + "["
                    + e + " >> " + RowSlices.SHIFT + "] + (" + e + " & " + (RowSlices.ROWS - 1) + ");");
            out.line("const int " + length + " = " + source.array("c" + argument, "const unsigned short",
                    slices.lengths()) + "[" + e + "];");
            return;
        }
        String offsets = source.array("o" + argument, "const int", loop.map(argument).offsets());
        out.line("const int " + first + " = " + offsets + "[" + e + "];");
        out.line("const int " + length + " = " + offsets + "[" + e + " + 1] - " + first + ";");
        if (stores()) {
            String stored = source.stored(argument);
            out.line("for (int k = 0; k < " + length + " * " + components + "; k++) " + stored + "[" + first + " * "
                    + components + " + k] = 0;");
        }
    }

    /** The data, the distance between elements, the row, its length. */
    @Override
    public String pass() {
        LoopDeclaration loop = source.tables().loop();
        if (stores()) {
            String count = source.array("counting", "const int", source.tables().counting());
            return source.stored(argument) + " + " + first + " * " + components + ", " + components + ", " + count
                    + ", " + length;
        }
        String entries = source.array("r" + argument, "const int", sliced()
                ? source.tables().slices(argument).entries()
                : loop.map(argument).entries());
        return source.dat(argument) + ", " + loop.dat(argument).elementStride() + ", " + entries + " + " + first + ", "
                + length;
    }

    /** A number: the device function knows nothing of the kernel's argument. */
    @Override
    public String stride() {
        return stores() ? "1" : Integer.toString(source.tables().loop().dat(argument).componentStride());
    }
}
