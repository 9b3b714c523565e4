package org.trellis.processor.check;

import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.model.Method;

/** A rule about a kernel whose functions are inlined and whose loops are unrolled. */
@FunctionalInterface
interface KernelRule {
    /** Reports what breaks the rule. */
    void check(Method unrolled, Diagnostics diagnostics);
}
