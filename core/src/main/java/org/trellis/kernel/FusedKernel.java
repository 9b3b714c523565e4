package org.trellis.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trellis.common.Precision;

/**
 * Several kernels as one: for an element it does what they do one after the other. Arguments may be shared: where one
 * kernel writes what another reads of the same element, both have one argument.
 *
 * <p>On a CPU pieces of a range that stay in the nearest caches go through the generated loops of all parts; a part
 * that adds up real numbers runs a whole range at once, so that its sums have the bits that it gives by itself. In CUDA
 * C one function calls those of the parts.
 */
public final class FusedKernel implements LoopKernel {
    private final List<Part> parts;
    private final KernelSignature signature;

    /**
     * A kernel that is a part of the whole.
     *
     * @param kernel    the kernel
     * @param arguments for each of its parameters the index of the whole's
     * @param style     the style in which it is run by itself
     */
    public record Part(LoopKernel kernel, List<Integer> arguments, LoopStyle style) {
        /**
         * Copies the list.
         *
         * @throws IllegalArgumentException if there are not as many indices as parameters
         */
        public Part {
            arguments = List.copyOf(arguments);
            if (arguments.size() != kernel.signature().arity()) {
                throw new IllegalArgumentException("kernel " + kernel.signature().name() + " has "
                        + kernel.signature().arity() + " parameters, found " + arguments.size() + " arguments");
            }
        }

        private ArgumentSignature own(int index) {
            return kernel.signature().arguments().get(index);
        }

        /** Says whether the part adds up real numbers, whose sum depends on where ranges begin and end. */
        boolean sums() {
            return kernel.signature().arguments().stream()
                    .anyMatch(a -> a.access() == Access.SUM && a.type() == ArgumentSignature.Type.REAL);
        }

        /** Says whether the part adds to what the whole reads and writes: to zeros then, and the sum is added. */
        private boolean addsApart(int index, KernelSignature whole) {
            return own(index).access() == Access.INCREMENT
                    && whole.arguments().get(arguments.get(index)).access() != Access.INCREMENT;
        }
    }

    /**
     * Puts kernels together.
     *
     * @param parts    the kernels in the order in which they run
     * @param accesses for each argument of the whole what all parts together do with it
     * @throws IllegalArgumentException if an argument belongs to no part
     */
    public FusedKernel(List<Part> parts, List<Access> accesses) {
        this.parts = List.copyOf(parts);
        ArgumentSignature[] arguments = new ArgumentSignature[accesses.size()];
        StringBuilder name = new StringBuilder("fused");
        for (Part part : parts) {
            String own = part.kernel().signature().name();
            name.append('.').append(own.substring(own.lastIndexOf('.') + 1));
            for (int i = 0; i < part.arguments().size(); i++) {
                int a = part.arguments().get(i);
                if (arguments[a] == null) {
                    arguments[a] = merged(part, i, accesses.get(a));
                }
            }
        }
        if (Arrays.asList(arguments).contains(null)) {
            throw new IllegalArgumentException(name + ": argument " + Arrays.asList(arguments).indexOf(null)
                    + " of " + arguments.length + " belongs to no part, expected each to belong to one");
        }
        signature = new KernelSignature(name.toString(), List.of(arguments));
    }

    private static ArgumentSignature merged(Part part, int index, Access access) {
        ArgumentSignature own = part.own(index);
        boolean repeats = own.repeats() >= 0 && access == Access.INCREMENT;
        return new ArgumentSignature("f" + part.arguments().get(index), own.kind(), access, own.type(),
                own.components(), own.entries(), repeats ? part.arguments().get(own.repeats()) : -1,
                repeats ? own.sign() : 1);
    }

    /**
     * Returns the kernels.
     *
     * @return in the order in which they run
     */
    public List<Part> parts() {
        return parts;
    }

    @Override
    public KernelSignature signature() {
        return signature;
    }

    /** Real numbers stay in double precision from part to part; {@code reference} runs the parts one by one instead. */
    @Override
    public void call(Object[] arguments) {
        for (Part part : parts) {
            Object[] own = new Object[part.arguments().size()];
            for (int i = 0; i < own.length; i++) {
                Object whole = arguments[part.arguments().get(i)];
                own[i] = part.addsApart(i, signature) ? zeros(whole) : whole;
            }
            part.kernel().call(own);
            for (int i = 0; i < own.length; i++) {
                if (part.addsApart(i, signature)) {
                    add(own[i], arguments[part.arguments().get(i)]);
                }
            }
        }
    }

    private static Object zeros(Object like) {
        return like instanceof double[] reals ? new double[reals.length] : new int[((int[]) like).length];
    }

    private static void add(Object from, Object to) {
        if (from instanceof double[] reals) {
            Arrays.setAll((double[]) to, c -> ((double[]) to)[c] + reals[c]);
        } else {
            Arrays.setAll((int[]) to, c -> ((int[]) to)[c] + ((int[]) from)[c]);
        }
    }

    @Override
    public boolean scalar(int argument) {
        for (Part part : parts) {
            int own = part.arguments().indexOf(argument);
            if (own >= 0) {
                return part.kernel().scalar(own);
            }
        }
        return false;
    }

    /**
     * Creates the loop: scalar with each part in the style in which it runs by itself, SIMD with all that can be SIMD,
     * but for parts that add up real numbers.
     */
    @Override
    public RangeLoop loop(LoopStyle style, Precision precision, LoopShape shape) {
        Map<LoopStyle, LoopStyle[]> styles = new HashMap<>();
        styles.put(LoopStyle.SCALAR, parts.stream().map(Part::style).toArray(LoopStyle[]::new));
        styles.put(LoopStyle.SIMD, parts.stream()
                .map(part -> part.sums() || part.kernel().objection(LoopStyle.SIMD).isPresent()
                        ? part.style()
                        : LoopStyle.SIMD)
                .toArray(LoopStyle[]::new));
        RangeLoop[] loops = new RangeLoop[parts.size()];
        for (int p = 0; p < loops.length; p++) {
            int[] arguments = parts.get(p).arguments().stream().mapToInt(Integer::intValue).toArray();
            loops[p] = parts.get(p).kernel().loop(styles.get(style)[p], precision, shape.part(arguments));
        }
        return new FusedLoop(this, loops, precision);
    }

    /** Has an objection if no part can be run so. */
    @Override
    public Optional<String> objection(LoopStyle style) {
        List<Optional<String>> objections = parts.stream().map(part -> part.kernel().objection(style)).toList();
        return objections.stream().allMatch(Optional::isPresent) ? objections.getFirst() : Optional.empty();
    }

    /**
     * Returns a function that calls those of the parts, which are in namespaces of their own: a kernel may occur twice.
     */
    @Override
    public String cudaSource() {
        StringBuilder text = new StringBuilder(256);
        for (int p = 0; p < parts.size(); p++) {
            KernelSignature own = parts.get(p).kernel().signature();
            for (int i = 0; i < own.arity(); i++) {
                for (String kind : List.of("STRIDE_", "PITCH_", "RASTER_")) {
                    String macro = kind + own.arguments().get(i).name();
                    String whole = kind + signature.arguments().get(parts.get(p).arguments().get(i)).name();
                    text.append("#undef ").append(macro).append("\n#ifdef ").append(whole).append("\n#define ")
                            .append(macro).append(' ').append(whole).append("\n#endif\n");
                }
            }
            text.append("namespace part").append(p).append(" {\n").append(parts.get(p).kernel().cudaSource())
                    .append("\n}\n");
        }
        List<String> types = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int a = 0; a < signature.arity(); a++) {
            for (String name : names(a)) {
                types.add("class T" + types.size());
                names.add("T" + names.size() + "&& " + name);
            }
        }
        text.append("template <").append(String.join(", ", types)).append(">\n__device__ __forceinline__ void ")
                .append(signature.name().replaceAll("[^A-Za-z0-9_$]", "_")).append('(').append(String.join(", ", names))
                .append(") {\n");
        for (int p = 0; p < parts.size(); p++) {
            call(p, text);
        }
        return text.append('}').toString();
    }

    /** What an argument is called in CUDA C: rows of a map of variable arity are four parameters. */
    private List<String> names(int a) {
        String name = "a" + a;
        return signature.arguments().get(a).entries() == ArgumentSignature.VARIABLE
                ? List.of(name, "element_" + name, "row_" + name, "length_" + name)
                : List.of(name);
    }

    private void call(int p, StringBuilder text) {
        Part part = parts.get(p);
        List<String> passed = new ArrayList<>();
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (int i = 0; i < part.arguments().size(); i++) {
            int a = part.arguments().get(i);
            if (part.addsApart(i, signature)) {
                ArgumentSignature own = part.own(i);
                String type = own.type() == ArgumentSignature.Type.REAL ? "REAL" : "int";
                before.append("        ").append(type).append(" added").append(i).append('[').append(own.components())
                        .append("] = {};\n");
                after.append("        for (int c = 0; c < ").append(own.components()).append("; c++) a").append(a)
                        .append("[c] += added").append(i).append("[c];\n");
                passed.add("added" + i);
            } else {
                passed.addAll(names(a));
            }
        }
        text.append("    {\n").append(before).append("        part").append(p).append("::")
                .append(part.kernel().signature().name().replaceAll("[^A-Za-z0-9_$]", "_")).append('(')
                .append(String.join(", ", passed)).append(");\n").append(after).append("    }\n");
    }

    @Override
    public String toString() {
        return signature.name();
    }
}
