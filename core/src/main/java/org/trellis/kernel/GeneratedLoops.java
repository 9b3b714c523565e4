package org.trellis.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;

/**
 * Specialises generated loops. The bytes of one loop class are defined as a hidden class once for each shape, and the
 * class reads its {@link LoopShape} into static final fields: to the JIT compiler, strides, directness and the kind of
 * increments are constants, as they would be to a C++ compiler with templates, and no profile is shared between shapes.
 */
@SuppressWarnings("checkstyle:IllegalCatch") // a method handle declares Throwable
public final class GeneratedLoops {
    private GeneratedLoops() {}

    /**
     * Defines a loop class for a shape and creates its instance.
     *
     * @param lookup full-privilege access to the package of the loop class, from the generated code itself
     * @param bytes  the class file; the class implements {@link RangeLoop} and has a constructor without parameters
     * @param shape  the shape that {@link #shape} gives back to the class
     * @return the loop
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
     * Gives a loop class the shape that it was specialised for. Called by its static initialiser.
     *
     * @param lookup the lookup of the hidden class
     * @return the shape
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
