package org.trellis.bench.ranks;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.trellis.backend.Availability;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.DelayedCommunicator;
import org.trellis.distributed.communicate.MpiRanks;
import org.trellis.distributed.communicate.ParallelPartitioner;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.mesh.partition.Partitioner;
import org.trellis.mesh.partition.Partitioners;

/**
 * The ranks that a command runs on: one, several threads of this process, or the processes of which this is one.
 *
 * @param transport   how messages travel
 * @param ranks       how many ranks
 * @param rank        the rank of this process; 0 where all are in it
 * @param partitioner how rows are divided, {@code blocks} or the name of a partitioner of one rank or of all
 * @param backends    what ranks compute with: rank r with that at r, counted round the list; empty for what a command
 *                    says itself
 * @param recording   what ranks are at is noted there; null if that is not needed
 * @param latency     how much later messages arrive, to see what a slower network would want; null for no later
 */
public record RankJob(Transport transport, int ranks, int rank, String partitioner, List<String> backends,
        RankRecording recording, Duration latency) {
    /** Bytes a second of each channel whose messages are late, unless a command says another number. */
    public static final double BANDWIDTH = 1e10;

    /** Copies the list. */
    public RankJob {
        backends = List.copyOf(backends);
    }

    /**
     * A job whose commands say themselves what they compute with.
     *
     * @param transport   how messages travel
     * @param ranks       how many ranks
     * @param rank        the rank of this process; 0 where all are in it
     * @param partitioner how rows are divided
     */
    public RankJob(Transport transport, int ranks, int rank, String partitioner) {
        this(transport, ranks, rank, partitioner, List.of());
    }

    /**
     * A job that is not recorded.
     *
     * @param transport   how messages travel
     * @param ranks       how many ranks
     * @param rank        the rank of this process
     * @param partitioner how rows are divided
     * @param backends    what ranks compute with
     */
    public RankJob(Transport transport, int ranks, int rank, String partitioner, List<String> backends) {
        this(transport, ranks, rank, partitioner, backends, null, null);
    }

    /** How rows are divided by default. */
    public static final String DEFAULT_PARTITIONER = "multilevel";

    /** The most ranks of one process, each of which is a thread. */
    public static final int MOST_THREADS = 1024;

    /** The backend of GPUs. */
    public static final String GPU = "cuda";

    /** The partitioner that needs no graph. */
    public static final String BLOCKS = "blocks";

    /** The commands that can run on several ranks. */
    public static final List<String> COMMANDS = List.of("powers", "solve", "spmv", "tune", "example");

    /** How messages travel. */
    public enum Transport {
        /** Ranks are threads of this process. */
        THREADS,
        /** Ranks are the processes that a launcher has started. */
        MPI,
        /** Ranks are devices. */
        GPUS
    }

    /**
     * Checks a number of ranks that are threads of this process.
     *
     * @param ranks the number
     * @return the number
     * @throws IllegalArgumentException if there are none, or more than anybody wants threads
     */
    public static int checkThreads(int ranks) {
        if (ranks < 1 || ranks > MOST_THREADS) {
            throw new IllegalArgumentException("number of ranks is " + ranks + ", expected 1 to " + MOST_THREADS);
        }
        return ranks;
    }

    /**
     * Returns the job of one rank.
     *
     * @return a job that is not distributed
     */
    public static RankJob alone() {
        return new RankJob(Transport.THREADS, 1, 0, DEFAULT_PARTITIONER);
    }

    /**
     * Finds out whether a launcher has started this process as one of several.
     *
     * @return the job of its processes, or of one rank
     */
    public static RankJob ofProcess() {
        Optional<MpiRanks.Launched> launched = MpiRanks.launched();
        return launched.isEmpty() || launched.get().size() == 1
                ? alone()
                : new RankJob(Transport.MPI, launched.get().size(), launched.get().rank(), DEFAULT_PARTITIONER);
    }

    /**
     * Returns whether there are several ranks, or processes of a launcher.
     *
     * @return false on one rank of this process alone
     */
    public boolean isDistributed() {
        return ranks > 1 || transport != Transport.THREADS;
    }

    /**
     * Returns whether another process prints what all have to say.
     *
     * @return true in all processes but that of rank 0
     */
    public boolean isSilent() {
        return rank > 0;
    }

    /**
     * Returns the same ranks with another division of rows.
     *
     * @param name {@code blocks} or the name of a partitioner
     * @return the job
     */
    public RankJob dividedBy(String name) {
        return new RankJob(transport, ranks, rank, name, backends, recording, latency);
    }

    /**
     * Returns the same ranks with other backends.
     *
     * @param names the backend of each rank, counted round
     * @return the job
     */
    public RankJob on(List<String> names) {
        return new RankJob(transport, ranks, rank, partitioner, names, recording, latency);
    }

    /**
     * Returns the same ranks, recorded.
     *
     * @param where what they are at is noted there; null for nowhere
     * @return the job
     */
    public RankJob recordedBy(RankRecording where) {
        return new RankJob(transport, ranks, rank, partitioner, backends, where, latency);
    }

    /**
     * Returns the same ranks on a slower network.
     *
     * @param time how much later messages arrive; null for no later
     * @return the job
     * @throws IllegalArgumentException if messages go between GPUs, which nothing delays
     */
    public RankJob delayedBy(Duration time) {
        if (time != null && transport == Transport.GPUS) {
            throw new IllegalArgumentException("a latency of " + time.toNanos() / 1000 + " us between GPUs, expected "
                    + "transport threads or mpi, whose messages can be delayed");
        }
        return new RankJob(transport, ranks, rank, partitioner, backends, recording, time);
    }

    /**
     * Opens the backend that the job says a rank has, and finds out which transports messages have between GPUs
     * ({@link DeviceTransports#start}). Ranks with GPUs have them in turns. Called by all ranks.
     *
     * @param communicator the ranks
     * @return the backend, which the caller closes; empty if the job says none
     * @throws BackendUnavailableException if it cannot be used here, or a requested transport cannot; says
     *                                     why
     */
    @SuppressWarnings("MustBeClosed") // returned
    public Optional<Backend> open(Communicator communicator) {
        if (backends.isEmpty()) {
            return Optional.empty();
        }
        Configuration.Builder builder = Configuration.builder();
        builder.set(ConfigurationKeys.THREADS, 1);
        String name = backendOf(communicator.rank());
        if (name.equals(GPU)) {
            int before = (int) IntStream.range(0, communicator.rank()).filter(r -> backendOf(r).equals(GPU)).count();
            builder.set(ConfigurationKeys.CUDA_DEVICE, before % Backends.devices(GPU));
        }
        Backend backend = Backends.open(name, builder.build());
        try {
            if (backends.contains(GPU)) {
                DeviceTransports.start(communicator, backend);
            }
            return Optional.of(backend);
        } catch (RuntimeException e) {
            backend.close();
            throw e;
        }
    }

    private String backendOf(int number) {
        return backends.get(number % backends.size());
    }

    /**
     * Says how messages travel, for reports.
     *
     * @param communicator the ranks
     * @param devices      how they travel between devices, as far as is known
     * @return one or two phrases
     */
    public String describe(Communicator communicator, Optional<String> devices) {
        String hosts = backends.contains(GPU) && transport != Transport.MPI ? "gpus" : communicator.transport();
        return devices.map(words -> hosts + ", " + words).orElse(hosts);
    }

    /**
     * Returns the partitioner that divides on all ranks together.
     *
     * @return empty if a partitioner of one process does, or nothing has to
     */
    public Optional<ParallelPartitioner> together() {
        return ParallelPartitioner.labelled(partitioner);
    }

    /**
     * Checks that what is to be divided can be, as far as that shows on one rank.
     *
     * @throws IllegalArgumentException if there is no partitioner of that name here; lists those that there are. Or if
     *                                  it divides on all ranks, and these are no processes, or it is not
     *                                  installed
     */
    public void requireDivision() {
        Optional<ParallelPartitioner> together = together();
        if (together.isEmpty()) {
            division();
            return;
        }
        if (transport != Transport.MPI) {
            throw new IllegalArgumentException(
                    "partitioner " + partitioner + " divides on ranks that are processes of MPI"
                            + ", and these are on transport " + transport.name().toLowerCase(Locale.ROOT)
                            + "; expected transport mpi of trellis run, or another partitioner");
        }
        Availability installed = together.get().installed();
        if (!installed.available()) {
            throw new IllegalArgumentException("partitioner " + partitioner + " cannot be used here: "
                    + installed.reason());
        }
    }

    /**
     * Returns the partitioner, which works on one rank.
     *
     * @return the partitioner, or null for blocks of rows
     * @throws IllegalArgumentException if there is none of that name; lists those that there are. Or if it works on all
     *                                  ranks
     */
    public Partitioner division() {
        if (together().isPresent()) {
            throw new IllegalArgumentException(
                    "partitioner " + partitioner + " divides on processes of MPI only, expected "
                            + "one that divides on one rank: " + BLOCKS + ", multilevel, metis or scotch");
        }
        try {
            return partitioner.equals(BLOCKS) ? null : Partitioners.named(partitioner);
        } catch (BackendUnavailableException e) {
            throw new IllegalArgumentException(e.getMessage() + " With transport mpi also "
                    + String.join(", ", ParallelPartitioner.labels()) + ".", e);
        }
    }

    /**
     * Runs a task on all ranks.
     *
     * @param <T>  the type of results
     * @param task what each rank does
     * @return rank 0's result, or in another process that of its rank
     * @throws org.trellis.common.TrellisException if a rank failed, or MPI cannot be used here; says why
     */
    public <T> T run(ThreadRanks.RankTask<T> task) {
        ThreadRanks.RankTask<T> late = latency == null
                ? task
                : plain -> task.run(new DelayedCommunicator(plain, latency, BANDWIDTH));
        ThreadRanks.RankTask<T> work = recording == null ? late : plain -> recording.record(plain, late);
        return transport == Transport.MPI
                ? MpiRanks.run(Configuration.load(), work)
                : ThreadRanks.run(ranks, work).getFirst();
    }
}
