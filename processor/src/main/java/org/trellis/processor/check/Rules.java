package org.trellis.processor.check;

import java.util.List;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.lower.Lowered;
import org.trellis.processor.model.KernelClass;
import org.trellis.processor.model.Method;

/** Applies the rules about the bodies of kernels. */
public final class Rules {
    private static final List<ClassRule> CLASS = List.of(new RecursionRule(), new FunctionEffectRule(),
            new LoopVariableRule());
    private static final List<KernelRule> KERNEL = List.of(new ReadOnlyRule(), new IncrementRule(),
            new ReductionRule(), new IndexRule(), new DivisionRule());

    private Rules() {}

    /**
     * Checks methods as they are written.
     *
     * @param kernels     the class
     * @param diagnostics where errors go
     */
    public static void check(KernelClass kernels, Diagnostics diagnostics) {
        CLASS.forEach(rule -> rule.check(kernels, diagnostics));
    }

    /**
     * Checks a kernel whose functions are inlined and whose loops are unrolled.
     *
     * @param unrolled    the kernel
     * @param diagnostics where errors go
     */
    public static void check(Method unrolled, Diagnostics diagnostics) {
        KERNEL.forEach(rule -> rule.check(unrolled, diagnostics));
    }

    /**
     * Checks a kernel that keeps all other rules.
     *
     * @param unrolled    the kernel, unrolled
     * @param lowered     the kernel, flattened
     * @param diagnostics where errors go
     */
    public static void check(Method unrolled, Lowered lowered, Diagnostics diagnostics) {
        new WriteRule().check(unrolled, diagnostics);
        new RepeatsRule().check(lowered, diagnostics);
    }
}
