package org.trellis.bench.adapters.cusparse;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import jcuda.NativePointerObject;
import jcuda.driver.CUstream;
import jcuda.jcusparse.JCusparse;
import jcuda.jcusparse.cusparseHandle;
import jcuda.jcusparse.cusparseSpMatDescr;
import jcuda.runtime.cudaStream_t;
import org.trellis.backend.Backends;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.DeviceException;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.driver.LibraryFinder;

/**
 * The library with a handle on a stream of its own backend, opened once a process. JCusparse 12.6.0 lacks
 * {@code cusparseSpMV_preprocess} and {@code cusparseCreateSlicedEll}, which cuSPARSE itself has: they are called
 * through foreign functions, on JCusparse's own handles.
 */
@SuppressWarnings("restricted") // native calls are what this class is for
final class CusparseLibrary {
    private static final String FILE_STEM = "libcusparse.so";
    private static final String FILE = "libcusparse.so.12";
    private static final FunctionDescriptor PREPROCESS = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS,
            JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final FunctionDescriptor CREATE_SLICED_ELL = FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG,
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
            JAVA_INT);
    /** JCuda keeps the values of its handles to itself. */
    private static final VarHandle NATIVE_POINTER = nativePointer();

    private static CusparseLibrary opened;

    private final CudaBackend backend;
    private final cusparseHandle handle = new cusparseHandle();
    private final Optional<MethodHandle> preprocess;
    private final MethodHandle createSlicedEll;
    private final String version;

    private CusparseLibrary(CudaBackend backend, SymbolLookup library) {
        this.backend = backend;
        this.preprocess = library.find("cusparseSpMV_preprocess")
                .map(address -> Linker.nativeLinker().downcallHandle(address, PREPROCESS));
        this.createSlicedEll = Linker.nativeLinker().downcallHandle(library.findOrThrow("cusparseCreateSlicedEll"),
                CREATE_SLICED_ELL);
        backend.context().makeCurrent();
        check("cusparseCreate", JCusparse.cusparseCreate(handle));
        check("cusparseSetStream", JCusparse.cusparseSetStream(handle,
                new cudaStream_t((CUstream) backend.context().stream().handle())));
        int[] number = new int[1];
        check("cusparseGetVersion", JCusparse.cusparseGetVersion(handle, number));
        this.version = number[0] / 1000 + "." + number[0] % 1000 / 100 + "." + number[0] % 100;
    }

    private static VarHandle nativePointer() {
        try {
            return MethodHandles.privateLookupIn(NativePointerObject.class, MethodHandles.lookup())
                    .findVarHandle(NativePointerObject.class, "nativePointer", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Returns the library, opened at the first call and closed when the process ends.
     *
     * @throws BackendUnavailableException if it cannot be used here; says why
     */
    static synchronized CusparseLibrary get() {
        if (opened == null) {
            opened = open();
            Runtime.getRuntime().addShutdownHook(new Thread(opened::close, "cusparse-close"));
        }
        return opened;
    }

    private static CusparseLibrary open() {
        @SuppressWarnings("MustBeClosed") // closed when the process ends, or here
        CudaBackend backend = (CudaBackend) Backends.open("cuda", Configuration.load());
        try {
            // Loaded by its path first: JCusparse then finds it by its name, wherever it is.
            SymbolLookup library = SymbolLookup.libraryLookup(file(), Arena.global());
            JCusparse.setExceptionsEnabled(false);
            return new CusparseLibrary(backend, library);
        } catch (LinkageError | DeviceException | IllegalArgumentException e) {
            backend.close();
            throw new BackendUnavailableException("cuSPARSE cannot be used: " + e.getMessage());
        } catch (BackendUnavailableException e) {
            backend.close();
            throw e;
        }
    }

    private static Path file() {
        List<Path> files = LibraryFinder.ofSystem().libraries(FILE_STEM, List.of()).stream()
                .filter(path -> path.getFileName().toString().startsWith(FILE)).toList();
        if (files.isEmpty()) {
            throw new BackendUnavailableException(FILE + " of the CUDA toolkit is not installed");
        }
        return files.getFirst();
    }

    static void check(String call, int code) {
        if (code != 0) {
            throw new DeviceException(call, code, JCusparse.cusparseGetErrorString(code));
        }
    }

    CudaBackend backend() {
        return backend;
    }

    cusparseHandle handle() {
        return handle;
    }

    String version() {
        return version;
    }

    boolean preprocesses() {
        return preprocess.isPresent();
    }

    /** {@code cusparseSpMV_preprocess} with α = 1 and β = 0. */
    void preprocess(NativePointerObject matrix, NativePointerObject x, NativePointerObject y, int type, int algorithm,
            long workSpace) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = scalar(arena, type, 1);
            MemorySegment zero = scalar(arena, type, 0);
            check("cusparseSpMV_preprocess", (int) call(preprocess.orElseThrow(), address(handle), 0, one,
                    address(matrix), address(x), zero, address(y), type, algorithm, workSpace));
        }
    }

    private static MemorySegment scalar(Arena arena, int type, double value) {
        return type == CusparseProduct.TYPE_F64
                ? arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_DOUBLE, value)
                : arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_FLOAT, (float) value);
    }

    /** {@code cusparseCreateSlicedEll} with 32-bit offsets and indices. The arrays are device addresses. */
    cusparseSpMatDescr createSlicedEll(long[] sizes, long offsets, long columns, long values, int type) {
        cusparseSpMatDescr descriptor = new cusparseSpMatDescr();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment created = arena.allocate(JAVA_LONG);
            check("cusparseCreateSlicedEll", (int) call(createSlicedEll, created, sizes[0], sizes[1], sizes[2],
                    sizes[3], (long) SlicedEll.SLICE, offsets, columns, values, CusparseProduct.INDEX_32,
                    CusparseProduct.INDEX_32, 0, type));
            NATIVE_POINTER.set((NativePointerObject) descriptor, created.get(JAVA_LONG, 0));
        }
        return descriptor;
    }

    private static long address(NativePointerObject object) {
        return (long) NATIVE_POINTER.get(object);
    }

    // A method handle declares Throwable; native functions throw nothing.
    @SuppressWarnings("checkstyle:IllegalCatch")
    private static Object call(MethodHandle function, Object... arguments) {
        try {
            return function.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a native function threw a checked exception", e);
        }
    }

    private void close() {
        backend.context().makeCurrent();
        JCusparse.cusparseDestroy(handle);
        backend.close();
    }
}
