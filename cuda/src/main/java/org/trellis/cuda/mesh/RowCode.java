package org.trellis.cuda.mesh;

import org.trellis.kernel.Access;
import org.trellis.mesh.LoopDeclaration;

/** A dat reached through all entries of a map of variable arity: the kernel works on it in place. */
final class RowCode implements ArgumentCode {
    private final LoopSource source;
    private final int argument;
    private final Access access;
    private final int components;
    private final boolean dropped;

    RowCode(LoopSource source, int a) {
        LoopDeclaration loop = source.tables().loop();
        this.source = source;
        this.argument = a;
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
        String number = Integer.toString(argument);
        String offsets = source.array("o" + number, "const int", loop.map(argument).offsets());
        out.line("const int o" + number + " = " + offsets + "[e];");
        out.line("const int c" + number + " = " + offsets + "[e + 1] - o" + number + ";");
        if (stores()) {
            String stored = source.stored(argument);
            out.line("for (int k = 0; k < c" + number + " * " + components + "; k++) " + stored + "[o" + number + " * "
                    + components + " + k] = 0;");
        }
    }

    /** The data, the distance between elements, the row, its length. */
    @Override
    public String pass() {
        LoopDeclaration loop = source.tables().loop();
        String first = "o" + argument;
        String length = "c" + argument;
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
