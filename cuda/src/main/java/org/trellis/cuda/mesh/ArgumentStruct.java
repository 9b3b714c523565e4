package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The one argument of a generated kernel: a struct, which the device has in constant memory. Members are declared while
 * the source is written, each with what gives its value; the values are put in place when a launch is made. Members lie
 * as a C compiler lays them, each at a multiple of its size.
 */
final class ArgumentStruct {
    /** The name of the parameter in the source. */
    static final String NAME = "a";

    /** What every device takes. */
    static final int MAXIMUM_BYTES = 4096;

    private final Map<String, Member> members = new LinkedHashMap<>();
    private long bytes;

    private record Member(String declaration, long offset, LongSupplier address) {}

    private String declare(String name, String declaration, int size, int count, LongSupplier address) {
        if (!members.containsKey(name)) {
            long offset = Math.ceilDiv(bytes, size) * size;
            members.put(name, new Member(declaration, offset, address));
            bytes = offset + (long) size * count;
        }
        return NAME + "." + name;
    }

    /**
     * Declares a pointer unless it is there.
     *
     * @param name    the member
     * @param type    what it points to, for example {@code const int}
     * @param address gives the address when a launch is made
     * @return the expression for it
     */
    String pointer(String name, String type, LongSupplier address) {
        return declare(name, type + "* " + name, Long.BYTES, 1, address);
    }

    /**
     * Declares an integer unless it is there.
     *
     * @param name  the member
     * @param value gives the value when a launch is made
     * @return the expression for it
     */
    String number(String name, LongSupplier value) {
        return declare(name, "int " + name, Integer.BYTES, 1, value);
    }

    /**
     * Declares an array of values, set before each launch.
     *
     * @param name  the member
     * @param type  the type of a value
     * @param size  the bytes of a value
     * @param count how many
     * @return the expression for it
     */
    String values(String name, String type, int size, int count) {
        return declare(name, type + " " + name + "[" + count + "]", size, count, null);
    }

    /** Returns where a member lies. */
    long offset(String name) {
        return members.get(name).offset();
    }

    boolean has(String name) {
        return members.containsKey(name);
    }

    long bytes() {
        return Math.ceilDiv(Math.max(1, bytes), Long.BYTES) * Long.BYTES;
    }

    /** Returns the C declaration. */
    String text() {
        List<String> lines = new ArrayList<>();
        members.values().forEach(member -> lines.add("    " + member.declaration() + ";\n"));
        return "struct Arguments {\n" + String.join("", lines) + "};\n";
    }

    /** Puts pointers and integers in place. */
    void fill(MemorySegment block) {
        members.forEach((name, member) -> {
            if (member.address() != null) {
                long value = member.address().getAsLong();
                if (member.declaration().startsWith("int ")) {
                    block.set(ValueLayout.JAVA_INT, member.offset(), Math.toIntExact(value));
                } else {
                    block.set(ValueLayout.JAVA_LONG, member.offset(), value);
                }
            }
        });
    }
}
