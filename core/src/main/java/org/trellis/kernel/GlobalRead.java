package org.trellis.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Access descriptor of a global that the kernel reads; {@code double[]} or {@code int[]}.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PARAMETER)
public @interface GlobalRead {
    /**
     * Returns the number of components.
     *
     * @return components of the value, at least 1
     */
    int value() default 1;
}
