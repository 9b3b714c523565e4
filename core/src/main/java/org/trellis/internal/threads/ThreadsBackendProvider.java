package org.trellis.internal.threads;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Availability;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.internal.threads.team.WorkerTeam;

/** Announces the {@code threads} backend, which is always there. */
public final class ThreadsBackendProvider implements BackendProvider {
    /** The name of the backend. */
    static final String NAME = "threads";

    private static final int PRIORITY = 10;

    /** Creates the provider; for the service loader. */
    public ThreadsBackendProvider() {}

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
        return Availability.yes("plain Java on several threads");
    }

    @Override
    @MustBeClosed
    public Backend open(Configuration configuration) {
        return new ThreadsBackend(configuration.get(ConfigurationKeys.THREADS));
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // shared by the process
    public Backend openSharing(Configuration configuration) {
        return new ThreadsBackend(WorkerTeam.shared(configuration.get(ConfigurationKeys.THREADS)));
    }
}
