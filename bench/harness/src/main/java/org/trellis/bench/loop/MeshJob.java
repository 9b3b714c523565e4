package org.trellis.bench.loop;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.ranks.TransportText;
import org.trellis.bench.report.JobFacts;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ParallelPartitioner;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.Division;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.partition.Partitioner;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where an application on the mesh runtime runs: on one rank, or as one of several that do the same. What it prints and
 * writes, only the first does.
 */
public final class MeshJob {
    private final RankJob job;
    private final Communicator communicator;
    private final Console console;

    /** What an application does on each rank. */
    @FunctionalInterface
    public interface Work {
        /**
         * Does it.
         *
         * @param here the rank
         * @throws IOException if a file cannot be read or written
         */
        void run(MeshJob here) throws IOException;
    }

    private MeshJob(RankJob job, Communicator communicator, Console console) {
        this.job = job;
        this.communicator = communicator;
        this.console = console;
    }

    /**
     * Runs an application.
     *
     * @param job     the ranks
     * @param console where it prints
     * @param work    what each rank does
     * @throws IOException if a file cannot be read or written
     * @throws org.trellis.common.TrellisException if a rank failed
     */
    public static void run(RankJob job, Console console, Work work) throws IOException {
        if (!job.isDistributed()) {
            work.run(new MeshJob(job, null, console));
            return;
        }
        try {
            job.run(communicator -> {
                Console own = communicator.rank() == 0 ? console : silent();
                try {
                    work.run(new MeshJob(job, communicator, own));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return null;
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static Console silent() {
        return new Console(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()), false);
    }

    /**
     * Says whether this rank prints and writes.
     *
     * @return true on one rank of all
     */
    public boolean isFirst() {
        return communicator == null || communicator.rank() == 0;
    }

    /**
     * Says whether there are several ranks.
     *
     * @return false on one rank
     */
    public boolean isRanked() {
        return communicator != null;
    }

    /**
     * Returns where this rank prints.
     *
     * @return the console, or on other ranks than the first one that is not shown
     */
    public Console console() {
        return console;
    }

    /**
     * Returns the ranks.
     *
     * @return empty on one rank
     */
    public Optional<Communicator> communicator() {
        return Optional.ofNullable(communicator);
    }

    /**
     * Opens the backend of this rank.
     *
     * @param runtime what the command line says of it
     * @param spec    the command, for complaints
     * @return the backend; the caller closes it
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // one of the two is returned
    public Backend open(MeshDataOptions runtime, CommandSpec spec) {
        if (!isRanked()) {
            return runtime.open(spec);
        }
        Backend backend = job.open(communicator).orElseGet(runtime::openForRank);
        TransportText.print(console, DeviceTransports.of(backend).orElse(null));
        return backend;
    }

    /**
     * Opens the backend of this rank, or of its device.
     *
     * @param runtime what the command line says of it
     * @param devices what it says of devices
     * @param spec    the command, for complaints
     * @return the backend; the caller closes it
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // one of the two is returned
    public Backend open(MeshDataOptions runtime, DeviceOptions devices, CommandSpec spec) {
        return devices.isAsked() ? devices.open(communicator.rank(), runtime) : open(runtime, spec);
    }

    /**
     * Creates the mesh: over the devices if there are several, otherwise over the ranks.
     *
     * @param backend where its loops run
     * @param options its options
     * @param devices what the command line says of devices
     * @return an empty mesh; the caller closes it
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // one of the two is returned
    public Mesh mesh(Backend backend, MeshOptions options, DeviceOptions devices) {
        return devices.isAsked()
                ? devices.mesh(backend, communicator, options, division(DeviceOptions.TOLERANCE))
                : mesh(backend, options);
    }

    private Division division(double tolerance) {
        Optional<ParallelPartitioner> together = job.together();
        if (together.isPresent()) {
            return Division.by(together.get(), tolerance);
        }
        Partitioner partitioner = job.division();
        return partitioner == null ? Division.blocks() : Division.by(partitioner, tolerance);
    }

    /**
     * Says what results hold about the ranks.
     *
     * @param mesh a mesh of {@link #mesh} that has been divided
     * @return ranks, transport, rings and, between devices, methods; empty on one rank
     */
    public Optional<JobFacts> facts(Mesh mesh) {
        return isRanked() && mesh.ranks().isPresent()
                ? Optional.of(new JobFacts(communicator.size(), job.describe(communicator, Optional.empty()),
                        DistributedMesh.division(mesh).rings(), DeviceTransports.of(mesh.backend()).orElse(null)))
                : Optional.empty();
    }

    /**
     * Creates the mesh: over the ranks, divided as the job says, if there are several.
     *
     * @param backend where its loops run
     * @param options its options
     * @return an empty mesh; the caller closes it
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // one of the two is returned
    public Mesh mesh(Backend backend, MeshOptions options) {
        if (!isRanked()) {
            return Mesh.on(backend, options);
        }
        return DistributedMesh.on(backend, communicator,
                RankOptions.usual().withMesh(options).withDivision(division(Division.USUAL_TOLERANCE)));
    }
}
