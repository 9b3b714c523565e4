package org.trellis.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Access descriptor of a dat that the kernel reads and writes. Through a map, no two elements may lead to the same
 * target.
 *
 * <p>The parameter is an array of {@link #value} components, {@code double[]} or {@code int[]}. With
 * {@link #entries} other than 1 it holds all entries of a map at once and is {@code double[][]} or {@code int[][]},
 * entry first. {@code double} stands for the precision of the dat.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PARAMETER)
public @interface ReadWrite {
    /**
     * Returns the number of components.
     *
     * @return components of one element, at least 1
     */
    int value() default 1;

    /**
     * Returns the number of map entries that the parameter holds.
     *
     * @return 1 for a single element, the arity of the map for all its entries, {@link ArgumentSignature#VARIABLE} for
     *         a map of variable arity
     */
    int entries() default 1;
}
