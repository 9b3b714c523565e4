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

    @Override
    public void load(SourceText out) {
        if (dropped) {
            return;
        }
        LoopDeclaration loop = source.tables().loop();
        String offsets = source.array("o" + argument, "const int", loop.map(argument).offsets());
        String e = LoopOperands.ELEMENT;
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
        String entries = source.array("r" + argument, "const int", loop.map(argument).entries());
        return source.dat(argument) + ", " + loop.dat(argument).elementStride() + ", " + entries + " + " + first + ", "
                + length;
    }

    /** A number: the device function knows nothing of the kernel's argument. */
    @Override
    public String stride() {
        return stores() ? "1" : Integer.toString(source.tables().loop().dat(argument).componentStride());
    }
}
