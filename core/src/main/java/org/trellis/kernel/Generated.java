package org.trellis.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks classes that the kernel processor wrote, so that tools can leave them out. The JDK's own annotation of that
 * name is in a module that programs need not have.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Generated {
    /**
     * Names the generator.
     *
     * @return a class name
     */
    String value();
}
