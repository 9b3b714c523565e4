package org.trellis.processor.check;

import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.model.KernelClass;

/** A rule about methods as they are written. */
@FunctionalInterface
interface ClassRule {
    /** Reports what breaks the rule. */
    void check(KernelClass kernels, Diagnostics diagnostics);
}
