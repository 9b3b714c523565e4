package org.trellis.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Access descriptor of a run-time constant: a value declared once on the mesh that kernels read. With one component the
 * parameter may be a scalar, {@code double} or {@code int}; otherwise it is an array. A {@link Raster} is one too. The
 * CUDA backend keeps it in
 * constant memory.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PARAMETER)
public @interface Constant {
    /**
     * Returns the number of components.
     *
     * @return components of the value, at least 1
     */
    int value() default 1;
}
