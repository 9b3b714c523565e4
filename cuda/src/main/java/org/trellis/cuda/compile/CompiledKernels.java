package org.trellis.cuda.compile;

import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

/**
 * Machine code of one device: from an archive, from the cache, from the compiler, or from threads that compile side by
 * side what is known to be needed soon. A kernel takes 20 to 600 ms to compile, and work such as the set-up of
 * multigrid needs dozens of them one after another.
 */
public final class CompiledKernels {
    private static final System.Logger LOGGER = System.getLogger(CompiledKernels.class.getName());
    private static final int MOST_THREADS = 16;
    /** Kernels whose entries in the cache stand for those of a list. */
    private static final int PROBES = 3;

    private final KernelCache cache;
    private final String architecture;
    private final KernelCompiler compiler;
    private final KernelArchives archives;
    private final Map<KernelSource, FutureTask<Code>> ahead = new ConcurrentHashMap<>();
    /** Whether the driver has refused code of an archive. */
    private volatile boolean refused;

    /**
     * Machine code.
     *
     * @param bytes         the code
     * @param isPrecompiled whether it is from an archive, whose compiler may be newer than the driver
     */
    @SuppressWarnings("ArrayRecordComponent") // nothing compares codes
    public record Code(byte[] bytes, boolean isPrecompiled) {}

    /** Threads that end with the process and are shared by all devices. */
    private static final class Workers {
        private static final ExecutorService POOL = Executors.newFixedThreadPool(
                Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()),
                task -> {
                    Thread made = new Thread(task, "trellis-kernels");
                    made.setDaemon(true);
                    return made;
                });
    }

    /**
     * Prepares.
     *
     * @param cache        keeps code on disk
     * @param architecture the device's architecture
     * @param compiler     compiles what is not there; called by several threads at once
     * @param archives     code that was compiled before, which comes first
     */
    public CompiledKernels(KernelCache cache, String architecture, KernelCompiler compiler, KernelArchives archives) {
        this.cache = Objects.requireNonNull(cache);
        this.architecture = Objects.requireNonNull(architecture);
        this.compiler = Objects.requireNonNull(compiler);
        this.archives = Objects.requireNonNull(archives);
    }

    /**
     * Says whether there is an archive for the device.
     *
     * @return true if what is asked for may be there without a compiler
     */
    public boolean isPrecompiled() {
        return !refused && archives.serves(architecture);
    }

    /**
     * Says that the driver does not take code of archives, which is not asked for any more.
     *
     * @param source what it did not take
     * @return its code by the compiler
     * @throws org.trellis.common.KernelCompilationException if it does not compile
     */
    public byte[] refused(KernelSource source) {
        refused = true;
        return cache.get(source, architecture, compiler);
    }

    private Code code(KernelSource source) {
        return (refused ? Optional.<byte[]>empty() : archives.find(source, architecture))
                .map(found -> new Code(found, true))
                .orElseGet(() -> new Code(cache.get(source, architecture, compiler), false));
    }

    /**
     * Begins with code that will be asked for, and returns at once; does nothing where the compiler works for one
     * thread at a time. What fails is tried again, and reported, when it is asked for.
     *
     * @param sources in the order in which they are needed
     */
    public void prepare(Collection<KernelSource> sources) {
        if (!compiler.isConcurrent()) {
            return;
        }
        sources.forEach(source -> begin(source, () -> code(source)));
    }

    private void begin(KernelSource source, Callable<Code> work) {
        FutureTask<Code> task = new FutureTask<>(work);
        if (ahead.putIfAbsent(source, task) == null) {
            Workers.POOL.execute(task);
        }
    }

    /**
     * The same with a kernel, and when it is there with those that follow.
     *
     * @param kernels the first one and those that may follow it
     */
    public void prepare(FollowingKernels kernels) {
        if (compiler.isConcurrent()) {
            begin(kernels.first(), () -> {
                Code code = code(kernels.first());
                prepare(kernels.after(code.bytes()));
                return code;
            });
        }
    }

    /**
     * Begins with the kernels of a list, which is read by another thread too, unless its first ones are there
     * already: reading is fast, and then threads would only be in the way.
     *
     * @param list the name of a {@linkplain KernelList list}
     */
    public void prepareList(String list) {
        if (compiler.isConcurrent()) {
            Workers.POOL.execute(() -> {
                try {
                    List<KernelSource> sources = KernelList.named(list);
                    if (!sources.stream().limit(PROBES).allMatch(this::isThere)) {
                        prepare(sources);
                    }
                } catch (IllegalArgumentException | UncheckedIOException e) {
                    LOGGER.log(System.Logger.Level.WARNING, "kernels are not compiled ahead", e);
                }
            });
        }
    }

    private boolean isThere(KernelSource source) {
        return archives.contains(source, architecture) || cache.contains(source, architecture, compiler);
    }

    /**
     * Returns the code of a source. What is to be compiled ahead and waits for a thread is compiled by this one.
     *
     * @param source the source
     * @return machine code
     * @throws org.trellis.common.KernelCompilationException if it does not compile
     */
    public Code get(KernelSource source) {
        FutureTask<Code> begun = ahead.remove(source);
        if (begun == null) {
            return code(source);
        }
        begun.run();
        try {
            return result(begun);
        } catch (ExecutionException e) {
            // Reported by the attempt below.
            return code(source);
        }
    }

    /** Waits even if the thread is interrupted, as for a compiler that it runs itself. */
    private static Code result(FutureTask<Code> task) throws ExecutionException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
