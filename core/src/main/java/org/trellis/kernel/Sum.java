package org.trellis.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Access descriptor of a global to which the kernel adds: used in {@code +=} and {@code -=} only; {@code double[]} or
 * {@code int[]}. Real sums are kept in {@code double} on the CPU whatever the precision of the loop.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PARAMETER)
public @interface Sum {
    /**
     * Returns the number of components.
     *
     * @return components of the value, at least 1
     */
    int value() default 1;
}
