package org.trellis.processor.check;

import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.model.Heading;

/** A rule about the heading of a method. */
@FunctionalInterface
interface HeadingRule {
    /**
     * Checks a heading.
     *
     * @return true if it keeps the rule; otherwise an error was reported
     */
    boolean check(Heading heading, Diagnostics diagnostics);
}
