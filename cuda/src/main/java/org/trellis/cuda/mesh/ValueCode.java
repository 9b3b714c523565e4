package org.trellis.cuda.mesh;

import org.trellis.kernel.ArgumentSignature;

/**
 * A global that is read, or a constant: members of the kernel's argument, and so in the device's constant memory. Small
 * ones are copied to registers, or rather to operands of instructions. A small global whose newest value is on the
 * device, because a loop has reduced into it, is read from there.
 */
final class ValueCode implements ArgumentCode {
    /** The most values that are copied: more would not stay in registers. */
    static final int COPIED = 32;

    private final String name;
    private final String type;
    private final String member;
    private final String from;
    private final int components;
    private final boolean scalar;
    private final boolean dropped;

    ValueCode(LoopOperands source, int a) {
        ArgumentSignature signature = source.tables().loop().signature(a);
        this.name = LoopOperands.elementName("v" + a);
        this.type = LoopTables.type(signature);
        this.components = signature.components();
        this.scalar = source.tables().loop().kernel().scalar(a);
        this.dropped = source.form().addsStored();
        boolean real = signature.type() == ArgumentSignature.Type.REAL;
        this.member = dropped
                ? ""
                : source.struct().values("g" + a, type,
                        real ? source.tables().loop().precision().bytes() : Integer.BYTES, components);
        this.from = dropped || signature.kind() != ArgumentSignature.Kind.GLOBAL || components > COPIED
                ? ""
                : source.from(a, real ? "double" : "int");
    }

    @Override
    public void load(SourceText out) {
        if (!dropped && components <= COPIED) {
            out.line(type + " " + name + "[" + components + "];");
            for (int c = 0; c < components; c++) {
                out.line(name + "[" + c + "] = " + (from.isEmpty()
                        ? ""
                        : from + " ? (" + type + ") " + from + "[" + c + "] : ") + member + "[" + c + "];");
            }
        }
    }

    @Override
    public String pass() {
        return scalar ? name + "[0]" : components <= COPIED ? name : member;
    }

}
