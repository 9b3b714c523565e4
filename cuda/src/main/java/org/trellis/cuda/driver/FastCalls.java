package org.trellis.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.trellis.common.BackendUnavailableException;

/**
 * The driver's calls that are made with every product, through the foreign-function API: a few nanoseconds each and no
 * garbage. The handles are static so that the compiler can inline through them; there is one driver in a process.
 */
@SuppressWarnings({"restricted", "checkstyle:IllegalCatch"}) // native calls; their handles declare Throwable
final class FastCalls {
    private static final FunctionDescriptor LAUNCH = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT,
            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    private static final MethodHandle SET_CURRENT = unbound(JAVA_LONG);
    private static final MethodHandle SYNCHRONIZE = unbound(JAVA_LONG);
    private static final MethodHandle RECORD = unbound(JAVA_LONG, JAVA_LONG);
    private static final MethodHandle LAUNCH_KERNEL = Linker.nativeLinker().downcallHandle(LAUNCH);
    private static final MethodHandle LAUNCH_COOPERATIVE = unbound(JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);

    private final MemorySegment setCurrent;
    private final MemorySegment synchronize;
    private final MemorySegment record;
    private final MemorySegment launch;
    private final MemorySegment launchCooperative;

    private FastCalls(SymbolLookup library) {
        this.setCurrent = address(library, "cuCtxSetCurrent");
        this.synchronize = address(library, "cuStreamSynchronize");
        this.record = address(library, "cuEventRecord");
        this.launch = address(library, "cuLaunchKernel");
        this.launchCooperative = address(library, "cuLaunchCooperativeKernel");
    }

    /**
     * Looks the calls up in the driver's library.
     *
     * @param library the library, which stays loaded as long as the process runs
     * @return the calls
     * @throws BackendUnavailableException if the library cannot be loaded or lacks one
     */
    static FastCalls load(Path library) {
        try {
            return new FastCalls(SymbolLookup.libraryLookup(library, Arena.global()));
        } catch (IllegalArgumentException e) {
            throw new BackendUnavailableException(library + " cannot be loaded: " + e.getMessage());
        }
    }

    static MethodHandle unbound(MemoryLayout... parameters) {
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, parameters));
    }

    private static MemorySegment address(SymbolLookup library, String name) {
        return library.find(name)
                .orElseThrow(() -> new BackendUnavailableException("the NVIDIA driver has no function " + name));
    }

    void setCurrentContext(long context) {
        int code;
        try {
            code = (int) SET_CURRENT.invokeExact(setCurrent, context);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
        JCudaBinding.check("cuCtxSetCurrent", code);
    }

    void synchronizeStream(long stream) {
        int code;
        try {
            code = (int) SYNCHRONIZE.invokeExact(synchronize, stream);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
        JCudaBinding.check("cuStreamSynchronize", code);
    }

    void recordEvent(long event, long stream) {
        int code;
        try {
            code = (int) RECORD.invokeExact(record, event, stream);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
        JCudaBinding.check("cuEventRecord", code);
    }

    void launch(long function, LaunchShape shape, long stream, MemorySegment parameters) {
        int code;
        try {
            code = (int) LAUNCH_KERNEL.invokeExact(launch, function, shape.blocks(), shape.layers(), 1,
                    shape.threads(), 1, 1, shape.sharedBytes(), stream, parameters, MemorySegment.NULL);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
        JCudaBinding.check("cuLaunchKernel", code);
    }

    void launchCooperative(long function, LaunchShape shape, long stream, MemorySegment parameters) {
        int code;
        try {
            code = (int) LAUNCH_COOPERATIVE.invokeExact(launchCooperative, function, shape.blocks(), shape.layers(), 1,
                    shape.threads(), 1, 1, shape.sharedBytes(), stream, parameters);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
        JCudaBinding.check("cuLaunchCooperativeKernel", code);
    }
}
