package org.trellis.distributed.communicate;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;

/**
 * Runs a program on the processes that a launcher of MPI has started ({@code mpirun}, {@code mpiexec}, {@code srun}).
 * The library is called by foreign functions: Open MPI, MPICH and its relatives, and the standard ABI of MPI 5.0.
 */
public final class MpiRanks {
    private static boolean used;

    private MpiRanks() {}

    /**
     * Finds out whether a launcher of MPI has started this process. Loads nothing.
     *
     * @return yes with the launcher and its number of processes, or why not
     */
    public static Availability probe() {
        return MpiEnvironment.of(System.getenv())
                .map(found -> Availability.yes("started by " + found.launcher() + " with " + found.size()
                        + " processes"))
                .orElseGet(() -> Availability.no("no launcher of MPI has started this process (OMPI_COMM_WORLD_SIZE, "
                        + "PMI_SIZE and SLURM_NTASKS are not set)"));
    }

    /**
     * Finds out which of how many processes this is, from what the launcher says. Loads nothing.
     *
     * @return the rank, which is -1 where the launcher does not say it, and the number of processes; empty if no
     *         launcher has started this process
     */
    public static Optional<Launched> launched() {
        return MpiEnvironment.of(System.getenv()).map(found -> new Launched(found.rank(), found.size()));
    }

    /**
     * One of the processes of a job.
     *
     * @param rank which, or -1
     * @param size of how many
     */
    public record Launched(int rank, int size) {}

    /**
     * Runs a task on this rank. At most once in a process, from a platform thread, which alone may use the
     * communicator. What the task throws ends all processes; so does a process that ends in any other way before the
     * task has.
     *
     * @param <T>           the type of the result
     * @param configuration has the library and the time that ranks wait for one another
     * @param task          what each rank does
     * @return this rank's result
     * @throws BackendUnavailableException if no launcher has started this process, or the library cannot be loaded or
     *                                     does not belong to the launcher
     * @throws IllegalStateException       if this process has run a task already, or the thread is virtual
     */
    public static <T> T run(Configuration configuration, ThreadRanks.RankTask<T> task) {
        MpiEnvironment environment = MpiEnvironment.of(System.getenv())
                .orElseThrow(() -> new BackendUnavailableException("transport mpi cannot be used here: "
                        + probe().reason()));
        claim();
        MpiJob job = start(environment, configuration);
        Thread hook = new Thread(() -> {
            if (!job.isOver()) {
                job.endEarly();
            }
        }, "trellis-mpi-abort");
        Runtime.getRuntime().addShutdownHook(hook);
        T result = runTask(job, task);
        within(job, "MPI_Finalize", environment, () -> job.call("MPI_Finalize"));
        job.finish();
        return result;
    }

    private static synchronized void claim() {
        if (used) {
            throw new IllegalStateException("this process has run a task under MPI, which can be done once");
        }
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("a task under MPI was started on a virtual thread, expected a platform "
                    + "thread");
        }
        used = true;
    }

    private static MpiJob start(MpiEnvironment environment, Configuration configuration) {
        String given = configuration.get(ConfigurationKeys.MPI_LIBRARY);
        MpiLibrary library = MpiLibrary.load(given.isEmpty() ? environment.libraries() : List.of(given));
        MpiJob job = new MpiJob(library, new Backoff(Backoff.configured(configuration), environment.localSize(),
                BoundProcessors.ofJob()));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(JAVA_INT);
            within(job, "MPI_Init", environment, () -> job.call("MPI_Init_thread", MemorySegment.NULL,
                    MemorySegment.NULL, library.abi().funneled(), number));
            String devices = configuration.get(ConfigurationKeys.MPI_CUDA);
            job.setTakesDeviceMemory(devices.equals("auto") ? library.isCudaAware() : devices.equals("yes"));
            long world = library.constant(MpiAbi.Constant.COMM_WORLD);
            job.call("MPI_Comm_size", world, number);
            int size = number.get(JAVA_INT, 0);
            job.call("MPI_Comm_rank", world, number);
            job.setWorld(number.get(JAVA_INT, 0), size);
            if (size != environment.size()) {
                job.finish();
                library.call("MPI_Finalize");
                throw new BackendUnavailableException(environment.launcher() + " has started " + environment.size()
                        + " processes, but " + library.file() + " (" + library.version() + ") sees " + size
                        + ", expected the library of the launcher: name it in trellis.mpi.library");
            }
        }
        return job;
    }

    /**
     * Does something in which the library waits for all processes, however long. A process that has waited for as long
     * as ranks wait for one another ends with a message, and its launcher then ends the others: the library cannot be
     * asked to abort before it is initialised.
     */
    private static void within(MpiJob job, String call, MpiEnvironment environment, Runnable task) {
        WatchedCall.run(job.patience().duration(), task, () -> job.endWithin("rank "
                + (environment.rank() < 0 ? "?" : environment.rank()) + " in " + call + " waited " + job.patience()
                + " for the other processes of " + environment.launcher()
                + ", expected that to be enough (trellis.distributed.timeout)", environment.size()));
    }

    private static <T> T runTask(MpiJob job, ThreadRanks.RankTask<T> task) {
        MpiCommunicator world = new MpiCommunicator(job, job.library().constant(MpiAbi.Constant.COMM_WORLD), true);
        try {
            T result = task.run(world);
            // No rank finalises before all have come so far: a rank that still waits for another would hang in there.
            world.barrier();
            world.close();
            return result;
        } catch (JobFailedException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            // Whatever ends a rank ends the job.
            throw job.fail("rank " + world.rank() + " ended with " + e);
        }
    }
}
