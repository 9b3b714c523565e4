package org.trellis.common;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** All settings of Trellis. */
public final class ConfigurationKeys {
    /** Name of the backend that is used when a program names none. */
    public static final ConfigurationKey<String> BACKEND = new ConfigurationKey<>("trellis.backend", "best",
            "Backend used when a program names none: its name, or `best` for the available one of highest priority.",
            ConfigurationKeys::word);

    /** Number of threads that CPU backends use. */
    public static final ConfigurationKey<Integer> THREADS = new ConfigurationKey<>("trellis.threads", "",
            "Threads that the CPU backends use, 1 to 1024. Default: the processors that the JVM sees.",
            text -> text.isEmpty()
                    ? Math.min(1024, Runtime.getRuntime().availableProcessors())
                    : integer(text, 1, 1024));

    /** Whether the {@code cpu} backend may go over to vector code. */
    public static final ConfigurationKey<Boolean> CPU_ADAPT = new ConfigurationKey<>("trellis.cpu.adapt", "true",
            "Whether the `cpu` backend goes over to vector code where that proves faster (the results stay the same, "
                    + "to the bit): `true` or `false`.",
            text -> Boolean.valueOf(choice(text, "true", "false")));

    /** Folders that are searched for named matrices. */
    public static final ConfigurationKey<List<Path>> MATRICES_PATH = new ConfigurationKey<>("trellis.matrices.path", "",
            "Folders searched for named matrices, separated like the class path. Default: none.",
            ConfigurationKeys::paths);

    /** Folder of everything that may be rebuilt. */
    public static final ConfigurationKey<Path> CACHE_DIRECTORY = new ConfigurationKey<>("trellis.cache.directory", "",
            "Folder for data that can be rebuilt; what is kept there is closed to other users. Default: `trellis` "
                    + "under `XDG_CACHE_HOME`, or under `.cache` in the user's home.",
            ConfigurationKeys::cacheDirectory);

    /** Size of text from which a parsed matrix is kept in the cache. */
    public static final ConfigurationKey<Long> CACHE_MINIMUM_BYTES = new ConfigurationKey<>(
            "trellis.cache.minimum.bytes", "16777216",
            "Matrix files of at least this many bytes are kept parsed in the cache folder; -1 switches the cache off.",
            text -> number(text, -1, Long.MAX_VALUE));

    /** The CUDA device that the {@code cuda} backend opens. */
    public static final ConfigurationKey<Integer> CUDA_DEVICE = new ConfigurationKey<>("trellis.cuda.device", "0",
            "Number of the CUDA device that the `cuda` backend opens, counted by the driver from 0.",
            text -> integer(text, 0, 1023));

    /** Where the run-time compiler of CUDA is, if it is not in a usual place. */
    public static final ConfigurationKey<List<Path>> CUDA_NVRTC = new ConfigurationKey<>("trellis.cuda.nvrtc", "",
            "Where to look for NVRTC if it is in none of the usual places: libraries, or folders that hold one, "
                    + "separated like the class path. Default: none.",
            ConfigurationKeys::paths);

    /** Where NCCL is, if it is not in a usual place. */
    public static final ConfigurationKey<List<Path>> CUDA_NCCL = new ConfigurationKey<>("trellis.cuda.nccl", "",
            "Where to look for NCCL (`libnccl.so.2`), which carries messages between GPUs, if it is in none of the "
                    + "usual places: libraries, or folders that hold one, separated like the class path. Default: "
                    + "none.",
            ConfigurationKeys::paths);

    /** Where the kernels that a program uses are noted. */
    public static final ConfigurationKey<List<Path>> CUDA_KERNEL_LIST = new ConfigurationKey<>(
            "trellis.cuda.kernel.list", "",
            "A file to which the `cuda` backend adds the kernels that it loads, a line each. Trellis has such lists "
                    + "for the kernels that it compiles ahead, and for those of the artifact `trellis-cuda-kernels`. "
                    + "Default: none.",
            ConfigurationKeys::atMostOnePath);

    /** Whether kernels that were compiled before are used. */
    public static final ConfigurationKey<String> CUDA_PRECOMPILED = new ConfigurationKey<>("trellis.cuda.precompiled",
            "yes", "Whether the `cuda` backend takes kernels from archives of compiled ones, such as the artifact "
                    + "`trellis-cuda-kernels`, where the program has one: `yes` or `no`.",
            text -> choice(text, "yes", "no"));

    /** The layout of dats. */
    public static final ConfigurationKey<String> MESH_LAYOUT = new ConfigurationKey<>("trellis.mesh.layout", "aos",
            "Layout of dats: `aos` (the components of an element side by side) or `soa` (each component of all "
                    + "elements side by side).",
            text -> choice(text, "aos", "soa"));

    /** The execution scheme of loops that add through maps. */
    public static final ConfigurationKey<String> MESH_SCHEME = new ConfigurationKey<>("trellis.mesh.scheme", "best",
            "How mesh loops that add through maps are run: `best` for what the backend proposes, `in-order`, "
                    + "`two-level`, `block-permute`, `full-permute`, `temporary`, `owner-compute` or, on GPUs and in "
                    + "no fixed order, `atomics`.",
            text -> choice(text, "best", "in-order", "two-level", "block-permute", "full-permute", "temporary",
                    "owner-compute", "atomics"));

    /** The block size of mesh loops. */
    public static final ConfigurationKey<Integer> MESH_BLOCK_SIZE = new ConfigurationKey<>("trellis.mesh.block.size",
            "0", "Elements in a block of a mesh loop; 0 for what the backend proposes.",
            text -> integer(text, 0, Integer.MAX_VALUE));

    /** Whether mesh loops are split where their kernels allow it. */
    public static final ConfigurationKey<Boolean> MESH_FISSION = new ConfigurationKey<>("trellis.mesh.fission",
            "false", "Whether mesh loops whose kernels add equal contributions twice are split: `true` or `false`.",
            text -> Boolean.valueOf(choice(text, "true", "false")));

    /** Whether plans of mesh loops are checked. */
    public static final ConfigurationKey<Boolean> MESH_CHECK_PLANS = new ConfigurationKey<>(
            "trellis.mesh.check.plans", "false",
            "Whether each plan of a mesh loop is checked when it has been made: `true` or `false`.",
            text -> Boolean.valueOf(choice(text, "true", "false")));

    /** How long ranks of a distributed job wait for one another. */
    public static final ConfigurationKey<Integer> DISTRIBUTED_TIMEOUT = new ConfigurationKey<>(
            "trellis.distributed.timeout", "60",
            "Seconds, 1 to 86400, that a rank of a distributed job waits for another before the job fails on all "
                    + "ranks.",
            text -> integer(text, 1, 86_400));

    /** The transports that messages between devices may take. */
    public static final ConfigurationKey<List<String>> DISTRIBUTED_TRANSPORTS = new ConfigurationKey<>(
            "trellis.distributed.transports", "auto",
            "Transports that messages between the devices of ranks may take, separated by commas: `direct` "
                    + "(written by kernels), `copied` (from device to device), `staged` (through the host), "
                    + "`nccl`, `mpi` (by an MPI library that takes device memory). Of several, which is the "
                    + "fastest for which size is measured at start. Default: `auto`, which is `direct`, "
                    + "`copied` and `staged` where devices reach each other, else `staged` and, where it is "
                    + "installed, `nccl`, and where the library says that it takes device memory, `mpi`.",
            ConfigurationKeys::transports);

    /** How ranks on the host multiply the rows that they own. */
    public static final ConfigurationKey<String> DISTRIBUTED_PRODUCT = new ConfigurationKey<>(
            "trellis.distributed.product", "tuned",
            "How a rank on the host multiplies the rows that it owns: `tuned` (products of its backend, whose results "
                    + "differ by rounding from one division of the matrix to another) or `reproducible` (rows are "
                    + "summed in the order of their global columns: the same bits for any number of ranks).",
            text -> choice(text, "reproducible", "tuned"));

    /** On how many streams ranks on devices work while messages travel. */
    public static final ConfigurationKey<String> DISTRIBUTED_STREAMS = new ConfigurationKey<>(
            "trellis.distributed.streams", "auto",
            "Streams that a rank on a GPU uses while messages travel: `1`, `2` (what needs messages beside what needs "
                    + "none) or `auto`, which tries both within the first exchanges and keeps the faster one.",
            text -> choice(text, "auto", "1", "2"));

    /** How sequences over ranks are launched on devices. */
    public static final ConfigurationKey<String> DISTRIBUTED_GRAPHS = new ConfigurationKey<>(
            "trellis.distributed.graphs", "auto",
            "How a rank on a GPU launches the kernels of a sequence of loops: `none` (one by one), `between` "
                    + "(as CUDA graphs between exchanges) or `auto` (as one CUDA graph, exchanges and reductions "
                    + "included, where the devices of all ranks write to each other's memory, else `between`).",
            text -> choice(text, "auto", "between", "none"));

    /** The MPI library. */
    public static final ConfigurationKey<String> MPI_LIBRARY = new ConfigurationKey<>("trellis.mpi.library", "",
            "MPI library to load: a path, or a name that the system's loader finds. Default: what belongs to the "
                    + "launcher (`mpirun`, `srun`), by its environment variables.",
            text -> text);

    /** Whether the MPI library takes the memory of GPUs. */
    public static final ConfigurationKey<String> MPI_CUDA = new ConfigurationKey<>("trellis.mpi.cuda", "auto",
            "Whether the MPI library sends and receives from the memory of GPUs: `yes`, `no` or `auto`, which asks it "
                    + "(`MPIX_Query_cuda_support`, `MPIX_GPU_query_support`).",
            text -> choice(text, "auto", "yes", "no"));

    private static final List<ConfigurationKey<?>> ALL = List.of(BACKEND, THREADS, CPU_ADAPT, MATRICES_PATH,
            CACHE_DIRECTORY, CACHE_MINIMUM_BYTES, CUDA_DEVICE, CUDA_NVRTC, CUDA_NCCL, CUDA_KERNEL_LIST,
            CUDA_PRECOMPILED,
            MESH_LAYOUT, MESH_SCHEME, MESH_BLOCK_SIZE, MESH_FISSION, MESH_CHECK_PLANS, DISTRIBUTED_TIMEOUT,
            DISTRIBUTED_TRANSPORTS,
            DISTRIBUTED_PRODUCT, DISTRIBUTED_STREAMS, DISTRIBUTED_GRAPHS, MPI_LIBRARY, MPI_CUDA);

    private ConfigurationKeys() {}

    /**
     * Returns every key.
     *
     * @return the keys in the order of the reference page
     */
    public static List<ConfigurationKey<?>> all() {
        return ALL;
    }

    private static String word(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("expected a name");
        }
        return text;
    }

    private static String choice(String text, String... choices) {
        if (!List.of(choices).contains(text)) {
            throw new IllegalArgumentException("expected one of " + String.join(", ", choices));
        }
        return text;
    }

    private static int integer(String text, int low, int high) {
        return (int) number(text, low, high);
    }

    private static long number(String text, long low, long high) {
        long value;
        try {
            value = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a whole number from " + low + " to " + high, e);
        }
        if (value < low || value > high) {
            throw new IllegalArgumentException("expected a whole number from " + low + " to " + high);
        }
        return value;
    }

    private static List<Path> paths(String text) {
        return Arrays.stream(text.split(File.pathSeparator))
                .filter(part -> !part.isBlank())
                .map(Path::of)
                .toList();
    }

    private static List<Path> atMostOnePath(String text) {
        List<Path> paths = paths(text);
        if (paths.size() > 1) {
            throw new IllegalArgumentException("expected one file, but there are " + paths.size());
        }
        return paths;
    }

    private static List<String> transports(String text) {
        if (text.equals("auto")) {
            return List.of();
        }
        List<String> names = Arrays.stream(text.split(",", -1)).map(String::strip).distinct().toList();
        names.forEach(name -> choice(name, "direct", "copied", "staged", "nccl", "mpi"));
        return names;
    }

    private static Path cacheDirectory(String text) {
        if (!text.isEmpty()) {
            return Path.of(text);
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path base = xdg == null || xdg.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return base.resolve("trellis");
    }
}
