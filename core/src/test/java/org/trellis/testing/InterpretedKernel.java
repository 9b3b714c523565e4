package org.trellis.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.IncrementMode;
import org.trellis.kernel.KernelSignature;
import org.trellis.kernel.LoopArguments;
import org.trellis.kernel.LoopKernel;
import org.trellis.kernel.LoopRange;
import org.trellis.kernel.LoopShape;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;

/**
 * A kernel given as a function on small arrays, whose loops follow their shape by interpretation: slow, but nothing
 * has to be generated.
 */
public final class InterpretedKernel implements LoopKernel {
    private final KernelSignature signature;
    private final String cuda;
    private final Consumer<Object[]> body;

    private final boolean simd;

    private InterpretedKernel(KernelSignature signature, String cuda, Consumer<Object[]> body, boolean simd) {
        this.signature = signature;
        this.cuda = cuda;
        this.body = body;
        this.simd = simd;
    }

    /**
     * Returns this kernel as one that has no SIMD loops.
     *
     * @return a new kernel
     */
    public InterpretedKernel withoutSimd() {
        return new InterpretedKernel(signature, cuda, body, false);
    }

    /**
     * Starts a kernel.
     *
     * @param name its name
     * @return a builder
     */
    public static Builder named(String name) {
        return new Builder(name);
    }

    @Override
    public KernelSignature signature() {
        return signature;
    }

    @Override
    public void call(Object[] arguments) {
        body.accept(arguments);
    }

    @Override
    public RangeLoop loop(LoopStyle style, Precision precision, LoopShape shape) {
        return (arguments, range) -> {
            for (int i = range.from(); i < range.to(); i++) {
                if (shape.ordered() != (range.order() != null)) {
                    throw new IllegalStateException("range lists its elements: " + (range.order() != null));
                }
                new Element(arguments, range, shape, precision, shape.ordered() ? range.order()[i] : i).run();
            }
        };
    }

    @Override
    public Optional<String> objection(LoopStyle style) {
        return simd || style == LoopStyle.SCALAR ? Optional.empty() : Optional.of("it was made without SIMD");
    }

    @Override
    public String cudaSource() {
        if (cuda == null) {
            throw new UnsupportedOperationException(
                    "the interpreted kernel " + signature.name() + " has no CUDA source");
        }
        return cuda;
    }

    /** Collects the parameters of a kernel. */
    public static final class Builder {
        private final String name;
        private final List<ArgumentSignature> arguments = new ArrayList<>();
        private String cuda;

        private Builder(String name) {
            this.name = name;
        }

        /**
         * Adds a real dat.
         *
         * @param access     its access
         * @param components its components
         * @return this
         */
        public Builder dat(Access access, int components) {
            return dat(access, components, 1);
        }

        /**
         * Adds a real dat through several entries of a map.
         *
         * @param access     its access
         * @param components its components
         * @param entries    the entries
         * @return this
         */
        public Builder dat(Access access, int components, int entries) {
            return add(ArgumentSignature.Kind.DAT, access, ArgumentSignature.Type.REAL, components, entries, -1, 1);
        }

        /**
         * Adds a dat of whole numbers.
         *
         * @param access     its access
         * @param components its components
         * @return this
         */
        public Builder ints(Access access, int components) {
            return add(ArgumentSignature.Kind.DAT, access, ArgumentSignature.Type.INT, components, 1, -1, 1);
        }

        /**
         * Adds an increment that repeats another.
         *
         * @param components its components
         * @param repeats    the other's index
         * @param sign       the factor
         * @return this
         */
        public Builder repeated(int components, int repeats, int sign) {
            return add(ArgumentSignature.Kind.DAT, Access.INCREMENT, ArgumentSignature.Type.REAL, components, 1,
                    repeats, sign);
        }

        /**
         * Adds a real global.
         *
         * @param access     its access
         * @param components its components
         * @return this
         */
        public Builder global(Access access, int components) {
            return add(ArgumentSignature.Kind.GLOBAL, access, ArgumentSignature.Type.REAL, components, 1, -1, 1);
        }

        /**
         * Adds a global of whole numbers.
         *
         * @param access     its access
         * @param components its components
         * @return this
         */
        public Builder intGlobal(Access access, int components) {
            return add(ArgumentSignature.Kind.GLOBAL, access, ArgumentSignature.Type.INT, components, 1, -1, 1);
        }

        /**
         * Adds a real constant.
         *
         * @param components its components
         * @return this
         */
        public Builder constant(int components) {
            return add(ArgumentSignature.Kind.CONSTANT, Access.READ, ArgumentSignature.Type.REAL, components, 1, -1, 1);
        }

        private Builder add(ArgumentSignature.Kind kind, Access access, ArgumentSignature.Type type, int components,
                int entries, int repeats, int sign) {
            arguments.add(new ArgumentSignature("p" + arguments.size(), kind, access, type, components, entries,
                    repeats, sign));
            return this;
        }

        /**
         * Says what the kernel is in CUDA C. Parameters are named {@code p0}, {@code p1} and so on; for rows of a map
         * there are {@code ELEMENT_p0}, {@code ROW_p0} and {@code LENGTH_p0}, and {@code STRIDE_p0}.
         *
         * @param statements the body of the device function
         * @return this
         */
        public Builder cuda(String statements) {
            StringBuilder source = new StringBuilder();
            List<String> parameters = new ArrayList<>();
            for (ArgumentSignature argument : arguments) {
                source.append("#ifndef STRIDE_").append(argument.name()).append("\n#define STRIDE_")
                        .append(argument.name()).append(" 1\n#endif\n");
                parameters.add(parameter(argument));
            }
            cuda = source.append("__device__ __forceinline__ void ").append(name).append('(')
                    .append(String.join(", ", parameters)).append(") {\n").append(statements).append("}\n").toString();
            return this;
        }

        private static String parameter(ArgumentSignature argument) {
            String type = (argument.access() == Access.READ ? "const " : "")
                    + (argument.type() == ArgumentSignature.Type.REAL ? "REAL* " : "int* ");
            String parameter = argument.name();
            if (argument.entries() == ArgumentSignature.VARIABLE) {
                return type + parameter + ", int ELEMENT_" + parameter + ", const int* ROW_" + parameter
                        + ", int LENGTH_" + parameter;
            }
            return type + (argument.entries() == 1 ? "" : "const* ") + parameter;
        }

        /**
         * Finishes the kernel.
         *
         * @param body what it does with its arguments
         * @return the kernel
         */
        public InterpretedKernel does(Consumer<Object[]> body) {
            return new InterpretedKernel(new KernelSignature(name, arguments), cuda, body, true);
        }
    }

    /** One call of the kernel. */
    private final class Element {
        private final LoopArguments arguments;
        private final LoopRange range;
        private final LoopShape shape;
        private final Precision precision;
        private final int element;

        Element(LoopArguments arguments, LoopRange range, LoopShape shape, Precision precision, int element) {
            this.arguments = arguments;
            this.range = range;
            this.shape = shape;
            this.precision = precision;
            this.element = element;
        }

        void run() {
            Object[] values = new Object[signature.arity()];
            for (int a = 0; a < values.length; a++) {
                values[a] = gather(a);
            }
            body.accept(values);
            for (int a = 0; a < values.length; a++) {
                scatter(a, values[a]);
            }
        }

        private ArgumentSignature of(int a) {
            return signature.arguments().get(a);
        }

        private boolean real(int a) {
            return of(a).type() == ArgumentSignature.Type.REAL;
        }

        private int entries(int a) {
            int[] offsets = arguments.offsets(a);
            return offsets == null ? of(a).entries() : offsets[element + 1] - offsets[element];
        }

        private int target(int a, int entry) {
            if (shape.direct(a)) {
                return element;
            }
            int[] offsets = arguments.offsets(a);
            int target = offsets == null
                    ? arguments.targets(a, entry)[element]
                    : arguments.targets(a, 0)[offsets[element] + entry];
            int same = shape.sameTarget(a);
            if (same != a && arguments.targets(same, 0)[element] != target) {
                throw new IllegalStateException("arguments " + same + " and " + a + " have different targets");
            }
            return target;
        }

        private Object gather(int a) {
            if (of(a).access().reduces()) {
                return real(a) ? range.reals(a) : range.ints(a);
            }
            if (of(a).entries() == 1) {
                return gather(a, target(a, 0));
            }
            int entries = entries(a);
            Object[] rows = real(a) ? new double[entries][] : new int[entries][];
            for (int k = 0; k < entries; k++) {
                rows[k] = gather(a, target(a, k));
            }
            return rows;
        }

        private Object gather(int a, int target) {
            int components = of(a).components();
            double[] reals = new double[components];
            int[] ints = new int[components];
            for (int c = 0; c < components && of(a).access() != Access.INCREMENT; c++) {
                int place = target * shape.elementStride(a) + c * shape.componentStride(a);
                if (!real(a)) {
                    ints[c] = arguments.ints(a)[place];
                } else if (of(a).kind() != ArgumentSignature.Kind.DAT || precision == Precision.F64) {
                    reals[c] = arguments.doubles(a)[place];
                } else {
                    reals[c] = arguments.floats(a)[place];
                }
            }
            return real(a) ? reals : ints;
        }

        private void scatter(int a, Object value) {
            if (of(a).kind() != ArgumentSignature.Kind.DAT || !of(a).access().writes()) {
                return;
            }
            if (of(a).entries() == 1) {
                scatter(a, target(a, 0), value);
            } else {
                Object[] rows = (Object[]) value;
                for (int k = 0; k < rows.length; k++) {
                    scatter(a, target(a, k), rows[k]);
                }
            }
        }

        private void scatter(int a, int target, Object value) {
            boolean increments = of(a).access() == Access.INCREMENT;
            IncrementMode mode = shape.increment(a);
            boolean foreign = target < range.ownedFrom() || target >= range.ownedTo();
            if (increments && (mode == IncrementMode.DROP || (mode == IncrementMode.ADD_OWNED && foreign))) {
                return;
            }
            boolean adds = increments && mode != IncrementMode.STORE;
            for (int c = 0; c < of(a).components(); c++) {
                int place = target * shape.elementStride(a) + c * shape.componentStride(a);
                if (!real(a)) {
                    int next = ((int[]) value)[c];
                    arguments.ints(a)[place] = adds ? arguments.ints(a)[place] + next : next;
                } else if (precision == Precision.F64) {
                    double next = ((double[]) value)[c];
                    arguments.doubles(a)[place] = adds ? arguments.doubles(a)[place] + next : next;
                } else {
                    double next = ((double[]) value)[c];
                    arguments.floats(a)[place] = (float) (adds ? arguments.floats(a)[place] + next : next);
                }
            }
        }
    }
}
