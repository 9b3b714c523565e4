package org.trellis.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;

/** A kernel whose loop classes lie beside the class that offers it. */
@SuppressWarnings("checkstyle:IllegalCatch") // a method handle declares Throwable
final class GeneratedKernel implements LoopKernel {
    private static final String VECTOR_MODULE = "jdk.incubator.vector";

    private final MethodHandles.Lookup lookup;
    private final KernelSignature signature;
    private final String stem;
    private final Consumer<Object[]> method;
    private final String simdObjection;
    private final Supplier<String> cuda;
    private final int[] scalars;
    /** Loops that were made: a repeated request gets code that the JVM has perhaps compiled by now. */
    private final Map<Key, SoftReference<RangeLoop>> loops = new ConcurrentHashMap<>();

    private record Key(LoopStyle style, Precision precision, LoopShape shape) {}

    GeneratedKernel(MethodHandles.Lookup lookup, KernelSignature signature, String stem, Consumer<Object[]> method,
            String simdObjection, Supplier<String> cuda, int... scalars) {
        this.lookup = Objects.requireNonNull(lookup);
        this.signature = Objects.requireNonNull(signature);
        this.stem = Objects.requireNonNull(stem);
        this.method = Objects.requireNonNull(method);
        this.simdObjection = Objects.requireNonNull(simdObjection);
        this.cuda = Objects.requireNonNull(cuda);
        this.scalars = scalars.clone();
    }

    @Override
    public KernelSignature signature() {
        return signature;
    }

    @Override
    public void call(Object[] arguments) {
        method.accept(arguments);
    }

    @Override
    public boolean scalar(int argument) {
        return Arrays.stream(scalars).anyMatch(scalar -> scalar == argument);
    }

    @Override
    public RangeLoop loop(LoopStyle style, Precision precision, LoopShape shape) {
        if (shape.arity() != signature.arity()) {
            throw new IllegalArgumentException("kernel " + signature.name() + " has " + signature.arity()
                    + " parameters, the shape " + shape.arity());
        }
        objection(style).ifPresent(reason -> {
            throw new UnsupportedKernelException("kernel " + signature.name(), style.name().toLowerCase(Locale.ROOT),
                    reason);
        });
        Key key = new Key(style, precision, shape);
        SoftReference<RangeLoop> known = loops.get(key);
        RangeLoop loop = known == null ? null : known.get();
        if (loop == null) {
            loop = specialised(style, precision, shape);
            loops.put(key, new SoftReference<>(loop));
        }
        return loop;
    }

    private RangeLoop specialised(LoopStyle style, Precision precision, LoopShape shape) {
        if (style == LoopStyle.SIMD) {
            readVectorModule();
        }
        String name =
                stem + (precision == Precision.F64 ? "Double" : "Float") + (style == LoopStyle.SIMD ? "Simd" : "");
        return GeneratedLoops.specialise(lookup, bytes(name), shape);
    }

    @Override
    public Optional<String> objection(LoopStyle style) {
        if (style == LoopStyle.SCALAR) {
            return Optional.empty();
        }
        if (!simdObjection.isEmpty()) {
            return Optional.of(simdObjection);
        }
        return ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent()
                ? Optional.empty()
                : Optional.of("the JVM runs without the Vector API; start it with --add-modules " + VECTOR_MODULE);
    }

    @Override
    public String cudaSource() {
        return cuda.get();
    }

    @Override
    public String toString() {
        return signature.name();
    }

    /** Lets the user's module read the Vector API. A module may only do that itself, hence through its lookup. */
    private void readVectorModule() {
        Module own = lookup.lookupClass().getModule();
        Module vectors = ModuleLayer.boot().findModule(VECTOR_MODULE).orElseThrow();
        if (!own.canRead(vectors)) {
            try {
                lookup.findVirtual(Module.class, "addReads", MethodType.methodType(Module.class, Module.class))
                        .invoke(own, vectors);
            } catch (Throwable e) {
                throw new IllegalStateException("the module of " + lookup.lookupClass().getName()
                        + " cannot be made to read " + VECTOR_MODULE + ": " + e, e);
            }
        }
    }

    private byte[] bytes(String name) {
        try (InputStream stream = lookup.lookupClass().getResourceAsStream(name + ".class")) {
            if (stream == null) {
                throw new IllegalStateException("the generated class " + name + " is not beside "
                        + lookup.lookupClass().getName() + "; generate both again, or keep them when packaging");
            }
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the generated class " + name + " cannot be read", e);
        }
    }
}
