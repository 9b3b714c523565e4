package org.trellis.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a static method of the same class that {@link MeshKernel} methods may call. It takes scalars and small arrays
 * and returns a scalar or nothing; generated code has it inlined or as a device function.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface KernelFunction {}
