package org.trellis.internal.cpu;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Availability;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.internal.threads.team.WorkerTeam;

/** Announces the {@code cpu} backend, which is always there and on a machine without a GPU the best. */
public final class CpuBackendProvider implements BackendProvider {
    /** The name of the backend. */
    static final String NAME = "cpu";

    private static final String MODULE = "jdk.incubator.vector";
    private static final int PRIORITY = 30;

    /** Creates the provider; for the service loader. */
    public CpuBackendProvider() {}

    /** Says whether the JVM runs with the Vector API. */
    static boolean hasVectors() {
        return ModuleLayer.boot().findModule(MODULE).isPresent();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int priority() {
        return PRIORITY;
    }

    @Override
    public boolean onHost() {
        return true;
    }

    @Override
    public Availability probe() {
        return Availability.yes(hasVectors()
                ? "scalar code at first, the Vector API where it proves faster, on several threads"
                : "plain Java on several threads; with --add-modules " + MODULE + " also vectors where they prove "
                        + "faster");
    }

    @Override
    @MustBeClosed
    public Backend open(Configuration configuration) {
        return new CpuBackend(configuration.get(ConfigurationKeys.THREADS), hasVectors(),
                configuration.get(ConfigurationKeys.CPU_ADAPT));
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // shared by the process
    public Backend openSharing(Configuration configuration) {
        return new CpuBackend(WorkerTeam.shared(configuration.get(ConfigurationKeys.THREADS)), hasVectors(),
                configuration.get(ConfigurationKeys.CPU_ADAPT), new TrialBudget());
    }
}
