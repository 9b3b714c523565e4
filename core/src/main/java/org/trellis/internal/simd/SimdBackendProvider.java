package org.trellis.internal.simd;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Availability;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.internal.threads.team.WorkerTeam;

/**
 * Announces the {@code simd} backend. Does not touch the Vector API itself, so that it can say that the JVM runs
 * without it.
 */
public final class SimdBackendProvider implements BackendProvider {
    /** The name of the backend. */
    static final String NAME = "simd";

    private static final String MODULE = "jdk.incubator.vector";
    private static final int PRIORITY = 20;

    /** Creates the provider; for the service loader. */
    public SimdBackendProvider() {}

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
        return ModuleLayer.boot().findModule(MODULE).isPresent()
                ? Availability.yes("the Vector API on several threads")
                : Availability.no("the JVM runs without the Vector API; start it with --add-modules " + MODULE);
    }

    @Override
    @MustBeClosed
    public Backend open(Configuration configuration) {
        requireAvailable();
        return new SimdBackend(configuration.get(ConfigurationKeys.THREADS));
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // shared by the process
    public Backend openSharing(Configuration configuration) {
        requireAvailable();
        return new SimdBackend(WorkerTeam.shared(configuration.get(ConfigurationKeys.THREADS)));
    }

    private void requireAvailable() {
        Availability availability = probe();
        if (!availability.available()) {
            throw new BackendUnavailableException("backend '" + NAME + "' cannot be used here: "
                    + availability.reason());
        }
    }
}
