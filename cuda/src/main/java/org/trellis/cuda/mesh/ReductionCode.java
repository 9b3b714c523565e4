package org.trellis.cuda.mesh;

import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;

/**
 * A global that elements are reduced into. A thread folds its elements one after the other, a block its threads in a
 * tree, and the last block all blocks, and then the value that was there: the same order in each run. Real numbers are
 * folded in double precision.
 */
final class ReductionCode implements ArgumentCode {
    private final LoopOperands source;
    private final int argument;
    private final int components;
    private final boolean real;
    private final String type;
    private final String wide;
    private final String operation;
    private final String neutral;

    ReductionCode(LoopOperands source, int a) {
        ArgumentSignature signature = source.tables().loop().signature(a);
        this.source = source;
        this.argument = a;
        this.components = signature.components();
        this.real = signature.type() == ArgumentSignature.Type.REAL;
        this.type = LoopTables.type(signature);
        this.wide = real ? "double" : "int";
        this.operation = switch (signature.access()) {
            case MIN -> "Least";
            case MAX -> "Greatest";
            default -> "Add";
        };
        this.neutral = neutral(signature.access());
    }

    private String neutral(Access access) {
        return switch (access) {
            case MIN -> real ? "__longlong_as_double(0x7ff0000000000000LL)" : "2147483647";
            case MAX -> real ? "-__longlong_as_double(0x7ff0000000000000LL)" : "(-2147483647 - 1)";
            default -> "0";
        };
    }

    int argument() {
        return argument;
    }

    private String total(int c) {
        return "total" + argument + "_" + c;
    }

    void declareTotals(SourceText out) {
        for (int c = 0; c < components; c++) {
            out.line(wide + " " + total(c) + " = " + neutral + ";");
        }
    }

    @Override
    public void load(SourceText out) {
        if (!source.form().addsStored()) {
            out.line(type + " " + pass() + "[" + components + "];");
            for (int c = 0; c < components; c++) {
                out.line(pass() + "[" + c + "] = " + neutral + ";");
            }
        }
    }

    @Override
    public String pass() {
        return LoopOperands.elementName("v" + argument);
    }

    @Override
    public void store(SourceText out) {
        LoopRange range = source.tables().range();
        String own = range != null && range.hasOthers()
                ? "if (" + LoopOperands.ELEMENT + " < " + source.struct().number("owned", range::owned) + ") "
                : "";
        for (int c = 0; c < components; c++) {
            out.line(own + total(c) + " = " + operation + "::of(" + total(c) + ", (" + wide + ") " + pass() + "[" + c
                    + "]);");
        }
    }

    void foldBlock(SourceText out, String block, String blocks) {
        String partials = source.partials(argument, wide);
        for (int c = 0; c < components; c++) {
            out.open("");
            out.line("const " + wide + " folded = foldBlock<" + operation + ">(" + total(c) + ", reinterpret_cast<"
                    + wide + "*>(scratch));");
            out.line("if (threadIdx.x == 0) " + partials + "[" + c + " * " + blocks + " + " + block + "] = folded;");
            out.close();
        }
    }

    void foldPartials(SourceText out, String blocks) {
        String partials = source.partials(argument, wide);
        String value = source.value(argument, wide);
        String result = source.result(argument, wide);
        String from = source.from(argument, wide);
        String before = source.struct().values("g" + argument, wide, real ? Double.BYTES : Integer.BYTES, components);
        for (int c = 0; c < components; c++) {
            out.open("");
            out.line("const " + wide + " folded = foldPartials<" + operation + ">((const " + wide + "*) " + partials
                    + " + " + c + " * " + blocks + ", " + blocks + ", (" + wide + ") " + neutral
                    + ", reinterpret_cast<" + wide + "*>(scratch));");
            out.open("if (threadIdx.x == 0)");
            out.line("const " + wide + " before = " + from + " ? " + from + "[" + c + "] : " + before + "[" + c + "];");
            out.line("const " + wide + " after = " + operation + "::of(before, folded);");
            out.line(value + "[" + c + "] = after;");
            out.line(result + "[" + c + "] = after;");
            out.close();
            out.close();
        }
    }
}
