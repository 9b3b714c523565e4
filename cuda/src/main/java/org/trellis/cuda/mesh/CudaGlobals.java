package org.trellis.cuda.mesh;

import java.util.IdentityHashMap;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.mesh.Global;

/** The globals that open loops use, each once. */
final class CudaGlobals {
    private final CudaContext context;
    private final IdentityHashMap<Global, CudaGlobal> known = new IdentityHashMap<>();

    CudaGlobals(CudaContext context) {
        this.context = context;
    }

    /** Returns a global as the device has it. Given back once for each call. */
    CudaGlobal retain(Global global) {
        return known.computeIfAbsent(global, g -> new CudaGlobal(context, g)).retain();
    }

    void giveBack(CudaGlobal global) {
        if (global.giveBack()) {
            known.remove(global.global());
        }
    }
}
