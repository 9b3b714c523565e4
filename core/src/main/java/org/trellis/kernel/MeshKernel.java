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
public @interface MeshKernel {}
