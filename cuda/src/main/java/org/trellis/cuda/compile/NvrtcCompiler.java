package org.trellis.cuda.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.trellis.cuda.driver.Nvrtc;

/** Compiles within the process. About 12 ms a kernel once warm; the first one takes half a second. */
public final class NvrtcCompiler implements KernelCompiler {
    /** More than any kernel takes to compile. */
    private static final int END_SECONDS = 10;
    /**
     * Compilations share it; the end of the process takes it for itself, since a process that unloads the library
     * beside a compilation crashes.
     */
    private static final ReadWriteLock ENDING = new ReentrantReadWriteLock();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(NvrtcCompiler::end, "trellis-nvrtc-end"));
    }

    private final Nvrtc nvrtc;
    private final String version;

    /**
     * Creates a compiler.
     *
     * @param nvrtc the library
     */
    public NvrtcCompiler(Nvrtc nvrtc) {
        this.nvrtc = nvrtc;
        int number = nvrtc.version();
        this.version = "nvrtc " + number / 1000 + "." + number % 1000 / 10;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public boolean isConcurrent() {
        return true;
    }

    /** Lets compilations under way end, and no other one begin. */
    private static void end() {
        try {
            if (!ENDING.writeLock().tryLock(END_SECONDS, TimeUnit.SECONDS)) {
                System.getLogger(NvrtcCompiler.class.getName()).log(System.Logger.Level.WARNING,
                        "a kernel still compiles after " + END_SECONDS + " s; the process ends beside it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public byte[] compile(KernelSource source, String architecture) {
        ENDING.readLock().lock();
        try {
            return compiled(source, architecture);
        } finally {
            ENDING.readLock().unlock();
        }
    }

    private byte[] compiled(KernelSource source, String architecture) {
        long program = nvrtc.createProgram(source.text(), source.name(),
                source.headers().values().toArray(String[]::new), source.headers().keySet().toArray(String[]::new));
        try {
            String[] options = options(source, architecture);
            int code = nvrtc.compileProgram(program, options);
            if (code != Nvrtc.SUCCESS) {
                throw CompilerLog.failure(source, version + " for " + architecture + " ("
                        + nvrtc.errorString(code) + ")", nvrtc.log(program));
            }
            return isVirtual(architecture) ? nvrtc.ptx(program) : nvrtc.cubin(program);
        } finally {
            nvrtc.destroyProgram(program);
        }
    }

    /** Says whether an architecture is one of the virtual machine, whose code the driver translates. */
    static boolean isVirtual(String architecture) {
        return architecture.startsWith("compute_");
    }

    private static String[] options(KernelSource source, String architecture) {
        List<String> options = new ArrayList<>(source.options());
        options.add("--gpu-architecture=" + architecture);
        options.add("--std=c++17");
        return options.toArray(String[]::new);
    }

    @Override
    public String toString() {
        return version;
    }
}
