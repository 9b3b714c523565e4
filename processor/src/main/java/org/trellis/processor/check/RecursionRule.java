package org.trellis.processor.check;

import java.util.HashSet;
import java.util.Set;
import org.trellis.processor.diagnostic.Code;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.lower.Statements;
import org.trellis.processor.model.Expression;
import org.trellis.processor.model.KernelClass;
import org.trellis.processor.model.Method;

/** No kernel function calls itself, directly or through others. */
final class RecursionRule implements ClassRule {
    @Override
    public void check(KernelClass kernels, Diagnostics diagnostics) {
        for (Method function : kernels.functions().values()) {
            Set<String> reached = new HashSet<>();
            follow(kernels, function, reached);
            if (reached.contains(function.name())) {
                diagnostics.error(Code.RECURSION, function.at(), "the kernel function '" + function.name()
                        + "' calls itself; kernels cannot be recursive");
            }
        }
    }

    private static void follow(KernelClass kernels, Method method, Set<String> reached) {
        Statements.visit(method.body(), statement -> Statements.read(statement, part -> {
            if (part instanceof Expression.Call call && reached.add(call.function())) {
                follow(kernels, kernels.functions().get(call.function()), reached);
            }
        }));
    }
}
