package org.trellis.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a static method that computes on one element of a mesh set. Each parameter carries one access descriptor
 * ({@link Read}, {@link Write}, {@link ReadWrite}, {@link Increment} for dats; {@link GlobalRead}, {@link Sum},
 * {@link Min}, {@link Max} for globals; {@link Constant}) and is a small array: the components of the element, or of
 * the element that a map leads to. Whether an argument is direct or goes through a map is said where the loop is
 * declared, not here.
 *
 * <p>The method can be called and tested as it stands. For a class {@code Airfoil} the processor generates
 * {@code AirfoilLoops} in the same package, with a constant of type {@link LoopKernel} for each kernel:
 * {@code resCalc} becomes {@code AirfoilLoops.RES_CALC}.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface MeshKernel {
    /**
     * Says whether a product and the sum that takes it, written in one expression, may be rounded once instead of
     * twice, as C compilers do unless set otherwise. Faster and mostly more accurate, but {@code a * a - b * b} need
     * not be zero for a = b, nor {@code x * x - y * y} be positive for x &gt; y; the CPU loops, scalar and SIMD, still
     * agree with each other in every bit on one machine, but not with this method or with a machine that cannot do it.
     * On GPUs the compiler contracts in any case.
     *
     * @return true if it may
     */
    boolean contract() default false;
}
