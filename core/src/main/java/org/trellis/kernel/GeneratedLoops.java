package org.trellis.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Specialises generated loops. The bytes of one loop class are defined as a hidden class once for each shape, and the
 * class reads its {@link LoopShape} into static final fields: to the JIT compiler, strides, directness and the kind of
 * increments are constants, as they would be to a C++ compiler with templates, and no profile is shared between shapes.
 */
@SuppressWarnings("checkstyle:IllegalCatch") // a method handle declares Throwable
public final class GeneratedLoops {
    private GeneratedLoops() {}

    /**
     * Creates a kernel from what was generated for it.
     *
     * @param lookup        full-privilege access to the package of the loop classes, from the generated code itself
     * @param signature     what the kernel takes
     * @param stem          the start of the names of the loop classes, which lie beside the lookup's class: followed by
     *                      {@code Double} or {@code Float}, and {@code Simd} if so
     * @param method        calls the user's method with arguments as in {@link LoopKernel#call}
     * @param simdObjection why there are no classes with SIMD loops, or an empty string
     * @param cuda          the CUDA C
     * @param scalars       the indices of the parameters that are scalars and not arrays
     * @return the kernel
     */
    public static LoopKernel kernel(MethodHandles.Lookup lookup, KernelSignature signature, String stem,
            Consumer<Object[]> method, String simdObjection, Supplier<String> cuda, int... scalars) {
        return new GeneratedKernel(lookup, signature, stem, method, simdObjection, cuda, scalars);
    }

    /**
     * Defines a loop class for a shape and creates its instance.
     *
     * @param lookup full-privilege access to the package of the loop class, from the generated code itself
     * @param bytes  the class file; the class implements {@link RangeLoop} and has a constructor without parameters
     * @param shape  the shape that {@link #shape} gives back to the class
     * @return the loop
     * @throws IllegalStateException if the class cannot be defined or its instance not be made
     */
    public static RangeLoop specialise(MethodHandles.Lookup lookup, byte[] bytes, LoopShape shape) {
        Objects.requireNonNull(shape);
        try {
            MethodHandles.Lookup hidden = lookup.defineHiddenClassWithClassData(bytes, shape, true);
            return (RangeLoop) hidden.findConstructor(hidden.lookupClass(), MethodType.methodType(void.class))
                    .invoke();
        } catch (Throwable e) {
            throw new IllegalStateException("a generated loop in " + lookup.lookupClass().getPackageName()
                    + " cannot be specialised: " + e, e);
        }
    }

    /**
     * Says whether the machine multiplies and adds in one operation, so that {@link Math#fma(double, double, double)}
     * costs no more than a product. Without it, that method takes hundreds of times as long.
     *
     * @return the same in all calls
     */
    public static boolean fusedMultiplyAdd() {
        return FusedMultiplyAdd.AVAILABLE;
    }

    /**
     * Gives a loop class the shape that it was specialised for. Called by its static initialiser.
     *
     * @param lookup the lookup of the hidden class
     * @return the shape
     * @throws IllegalStateException if the lookup has no access to the class
     */
    public static LoopShape shape(MethodHandles.Lookup lookup) {
        try {
            LoopShape shape = MethodHandles.classData(lookup, "_", LoopShape.class);
            return Objects.requireNonNull(shape, "the class was not made by GeneratedLoops.specialise");
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("a generated loop has no access to its own shape", e);
        }
    }
}
