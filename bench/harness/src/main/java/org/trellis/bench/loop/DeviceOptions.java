package org.trellis.bench.loop;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.report.html.BalancePage;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.distributed.balance.Balancer;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.Division;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.file.AtomicFile;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that share one mesh out to several devices of a process, each a rank with a backend of its own. */
public final class DeviceOptions {
    /** How uneven parts may be: what the model proposes is not to be lost again. */
    static final double TOLERANCE = 1.003;
    private static final String GPU = "gpu";
    private static final String CUDA = "cuda";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--devices", paramLabel = "NAME,NAME...", split = ",", description = {
        "Run on several devices of this process at once: cpu, gpu or names of backends, one for each part of the mesh.",
        "Parts are made as large as devices are fast, while the program runs."})
    private List<String> devices = new ArrayList<>();

    @Option(names = "--shares", paramLabel = "S,S...", split = ",",
            description = "With --devices, how much of the mesh each has at first. Default: the same.")
    private List<Double> shares = new ArrayList<>();

    @Option(names = "--no-balance", description = "With --devices, leave each what it has at first.")
    private boolean fixed;

    @Option(names = "--balance-html", paramLabel = "FILE", description = {
        "With --devices, draw predicted and measured times over the balance, as a page for a browser."})
    private Path page;

    /** Creates options as if the command line had none of them. */
    public DeviceOptions() {}

    /**
     * Says whether there are several devices.
     *
     * @return true if the command line names some
     */
    public boolean isAsked() {
        return !devices.isEmpty();
    }

    /**
     * Returns the ranks of an application.
     *
     * @param job those that it would have
     * @return one for each device, or the same if none are named
     * @throws IllegalArgumentException if there are ranks already, a device cannot be used here, or options do not fit
     *                                  together
     */
    public RankJob job(RankJob job) {
        if (!isAsked()) {
            if (fixed || !shares.isEmpty() || page != null) {
                throw new IllegalArgumentException(
                        "--shares, --no-balance and --balance-html are for --devices, expected it too");
            }
            return job;
        }
        if (job.isDistributed()) {
            throw new IllegalArgumentException("--devices on " + job.ranks() + " ranks, expected it without run");
        }
        if (devices.size() < 2 || (!shares.isEmpty() && shares.size() != devices.size())) {
            throw new IllegalArgumentException("--devices " + String.join(",", devices) + " with shares " + shares
                    + ", expected at least two devices and as many shares or none");
        }
        checkNames();
        if (fixed && page != null) {
            throw new IllegalArgumentException("--balance-html with --no-balance, expected one or the other");
        }
        OutputFile.checkHtml("--balance-html", page);
        if (!shares.isEmpty()) {
            Division.usual().withShares(sharesOfRanks());
        }
        return new RankJob(RankJob.Transport.THREADS, devices.size(), 0, job.partitioner());
    }

    /** The backend of a rank is that of its device. */
    private void checkNames() {
        if (spec != null && spec.commandLine().getParseResult().hasMatchedOption("--backend")) {
            throw new IllegalArgumentException(
                    "--devices " + String.join(",", devices) + " with --backend, expected one "
                            + "or the other: each device has a backend of its own");
        }
        devices.stream().filter(name -> !name.equals(Backends.BEST)).forEach(name -> {
            try {
                Backends.devices(backend(name));
            } catch (BackendUnavailableException e) {
                throw new IllegalArgumentException("--devices " + String.join(",", devices) + ": " + e.getMessage(), e);
            }
        });
    }

    private static String backend(String device) {
        return device.equals(GPU) ? CUDA : device;
    }

    private double[] sharesOfRanks() {
        double[] all = new double[devices.size()];
        Arrays.setAll(all, rank -> shares.isEmpty() ? 1 : shares.get(rank));
        return all;
    }

    /**
     * Opens the backend of a device, with all threads that the settings give it unless the command line says how many.
     *
     * @param rank    which device
     * @param runtime what else the command line says
     * @return the backend; the caller closes it
     * @throws org.trellis.common.BackendUnavailableException if it cannot be used here; says why
     */
    @MustBeClosed
    public Backend open(int rank, MeshDataOptions runtime) {
        String name = devices.get(rank);
        Configuration.Builder settings = Configuration.builder();
        if (runtime.threads() != null) {
            settings.set(ConfigurationKeys.THREADS, runtime.threads());
        }
        return Backends.open(backend(name), settings.build());
    }

    /**
     * Creates the mesh, divided with shares.
     *
     * @param backend      where this rank's loops run
     * @param communicator the ranks
     * @param options      its options
     * @param division     how it is divided
     * @return an empty mesh; the caller closes it
     */
    @MustBeClosed
    Mesh mesh(Backend backend, Communicator communicator, MeshOptions options, Division division) {
        return DistributedMesh.on(backend, communicator, RankOptions.usual().withMesh(options)
                .withDivision(division.withShares(sharesOfRanks())));
    }

    /**
     * Returns what balances a mesh.
     *
     * @param mesh       the mesh
     * @param sequence   an iteration
     * @param iterations how many there will be
     * @return null if there is nothing to balance
     */
    public Balancer balancer(Mesh mesh, LoopSequence sequence, long iterations) {
        double[] all = sharesOfRanks();
        return !isAsked() || fixed || Arrays.stream(all).anyMatch(share -> share == 0)
                ? null
                : new Balancer(mesh, sequence, iterations, all);
    }

    /**
     * Prints what balancing has found.
     *
     * @param console  where to
     * @param balancer what has balanced, or null
     * @param first    whether this is the rank that writes files
     * @throws IOException if the page cannot be written
     */
    public void print(Console console, Balancer balancer, boolean first) throws IOException {
        if (balancer == null) {
            return;
        }
        console.printText(balancer.toString());
        balancer.alone().ifPresent(rank -> console.print("the others cannot help %s, which has everything",
                devices.get(rank)));
        if (page != null && first && balancer.model().isPresent()) {
            AtomicFile.writeText(page, BalancePage.of(balancer.rounds(), balancer.model().get(), devices,
                    balancer.toString()));
        } else if (page != null && balancer.model().isEmpty()) {
            console.print("nothing was measured, so that there is no %s: expected more iterations", page);
        }
    }
}
