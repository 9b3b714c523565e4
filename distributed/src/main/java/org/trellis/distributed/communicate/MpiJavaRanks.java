package org.trellis.distributed.communicate;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.backend.Availability;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;

/**
 * Runs a program on the processes of an {@code mpi.MPI} that is on the class path, by reflection: MPJ Express with the
 * interface of mpiJava 1.2, or Open MPI's Java bindings. {@link MpiRanks} needs no such jar and is faster; this is for
 * programs that have one anyway, and for machines without a native MPI.
 */
public final class MpiJavaRanks {
    private static final System.Logger LOGGER = System.getLogger(MpiJavaRanks.class.getName());

    private MpiJavaRanks() {}

    /**
     * Finds out whether there is an {@code mpi.MPI}. Initialises nothing.
     *
     * @return yes, or why not
     */
    public static Availability probe() {
        try {
            Class<?> mpi = MpiJavaDialect.find(MpiJavaDialect.PACKAGE);
            return Availability.yes(mpi.getName() + " of " + mpi.getProtectionDomain().getCodeSource());
        } catch (BackendUnavailableException e) {
            return Availability.no(e.getMessage());
        }
    }

    /**
     * Runs a task on this rank. At most once in a process, from a platform thread, which alone may use the
     * communicator. What the task throws ends all processes.
     *
     * @param <T>           the type of the result
     * @param arguments     those of {@code main}, of which MPJ Express takes some
     * @param configuration has the time that ranks wait for one another
     * @param task          what each rank does
     * @return this rank's result
     * @throws BackendUnavailableException if there is no {@code mpi.MPI}, or one of an unknown dialect
     */
    public static <T> T run(String[] arguments, Configuration configuration, ThreadRanks.RankTask<T> task) {
        Class<?> mpi = MpiJavaDialect.find(MpiJavaDialect.PACKAGE);
        Duration limit = Backoff.configured(configuration);
        Runnable halt = () -> Runtime.getRuntime().halt(1);
        MpiJavaDialect dialect = start(mpi, limit, halt, arguments);
        return run(new MpiJavaJob(dialect, new Backoff(limit, dialect.size()), halt), task);
    }

    /** Initialises a library, which waits for all processes. */
    static MpiJavaDialect start(Class<?> mpi, Duration limit, Runnable halt, String... arguments) {
        MpiJavaDialect[] dialect = new MpiJavaDialect[1];
        WatchedCall.run(limit, () -> dialect[0] = MpiJavaDialect.start(mpi, arguments),
                () -> endWithin("Init of " + mpi.getName(), limit, halt));
        return dialect[0];
    }

    /** Ends this process from within a call that does not return; its launcher ends the others. */
    private static void endWithin(String call, Duration limit, Runnable halt) {
        LOGGER.log(System.Logger.Level.ERROR, call + " waited " + new Backoff(limit, 1)
                + " for the other processes, expected that to be enough (trellis.distributed.timeout)");
        halt.run();
    }

    /** Runs a task on an initialised library. */
    static <T> T run(MpiJavaJob job, ThreadRanks.RankTask<T> task) {
        List<Integer> all = IntStream.range(0, job.dialect().size()).boxed().toList();
        MpiJavaCommunicator world = new MpiJavaCommunicator(job, all, 0);
        try {
            T result = task.run(world);
            // No rank finalises before all have come so far.
            world.barrier();
            world.close();
            WatchedCall.run(job.patience().duration(), job.dialect()::finish,
                    () -> endWithin("Finalize of rank " + job.dialect().rank(), job.patience().duration(),
                            job.halt()));
            return result;
        } catch (JobFailedException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            // Whatever ends a rank ends the job.
            throw job.fail("rank " + world.rank() + " ended with " + e);
        }
    }
}
