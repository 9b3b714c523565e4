package org.trellis.internal.reference;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Availability;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.common.Configuration;

/** Announces the {@code reference} backend, which is always there. */
public final class ReferenceBackendProvider implements BackendProvider {
    /** The name of the backend. */
    static final String NAME = "reference";

    /** Creates the provider; for the service loader. */
    public ReferenceBackendProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public boolean onHost() {
        return true;
    }

    @Override
    public Availability probe() {
        return Availability.yes("plain Java on one thread");
    }

    @Override
    @MustBeClosed
    public Backend open(Configuration configuration) {
        return new ReferenceBackend();
    }
}
