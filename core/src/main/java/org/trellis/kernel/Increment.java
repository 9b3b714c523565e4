package org.trellis.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Access descriptor of a dat to which the kernel adds: the parameter is used in {@code +=} and {@code -=} only.
 * Elements may share targets; the order in which increments are added is open.
 *
 * <p>The parameter is an array of {@link #value} components, {@code double[]} or {@code int[]}. With
 * {@link #entries} other than 1 it holds all entries of a map at once and is {@code double[][]} or {@code int[][]},
 * entry first. {@code double} stands for the precision of the dat.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PARAMETER)
public @interface Increment {
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

    /**
     * Names another increment of the same kernel that this one repeats: for every element both add the same values, or
     * with {@link #sign} −1 opposite ones. It lets a plan split the loop into one that computes the contribution and
     * others that add it (Bertolli et al., Compiler Optimizations for Industrial Unstructured Mesh CFD Applications on
     * GPUs, 2012, section 4.1).
     *
     * @return the name of the other parameter, or an empty string
     */
    String repeats() default "";

    /**
     * Returns the factor between the other increment and this one.
     *
     * @return 1 or −1; has a meaning with {@link #repeats} only
     */
    int sign() default 1;
}
