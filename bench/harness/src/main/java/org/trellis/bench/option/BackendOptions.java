package org.trellis.bench.option;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a command that works with one backend. */
public final class BackendOptions {
    /** What computes on each rank by default. */
    private static final String OF_RANKS = "cpu";

    @Option(names = "--backend", paramLabel = "NAME",
            description = "The backend. Default: the setting trellis.backend.")
    private String backend;

    @Option(names = "--threads", paramLabel = "N", converter = ThreadsConverter.class,
            description = "Threads of the backend. Default: the setting trellis.threads.")
    private Integer threads;

    /** Creates options as if the command line had none of them. */
    public BackendOptions() {}

    /**
     * Returns the settings, and over them what the command line says.
     *
     * @return the configuration of this command
     */
    public Configuration configuration() {
        Configuration.Builder builder = Configuration.builder();
        if (threads != null) {
            builder.set(ConfigurationKeys.THREADS, threads);
        }
        return builder.build();
    }

    /**
     * Opens the backend of one of several ranks, which computes on its own thread unless set otherwise.
     *
     * @return the backend; the caller closes it
     * @throws BackendUnavailableException if it cannot be used here; says why
     */
    @MustBeClosed
    public Backend openForRank() {
        Configuration.Builder builder = Configuration.builder();
        builder.set(ConfigurationKeys.THREADS, threads == null ? 1 : threads);
        Configuration configuration = builder.build();
        String name = backend == null ? configuration.get(ConfigurationKeys.BACKEND) : backend;
        return Backends.open(name.equals(Backends.BEST) ? OF_RANKS : name, configuration);
    }

    /**
     * Returns the threads that the user wants.
     *
     * @return their number, or null if only the settings say it
     */
    public Integer threads() {
        return threads;
    }

    /**
     * Returns the backend that is asked for.
     *
     * @return the option's, or the setting's
     */
    public String name() {
        return backend == null ? configuration().get(ConfigurationKeys.BACKEND) : backend;
    }

    /**
     * Opens the backend that the library solves systems on, too: that of the host unless one is named or configured.
     *
     * @param spec the command, for complaints
     * @return the backend; the caller closes it
     * @throws ParameterException if it cannot be used here; says why
     */
    @MustBeClosed
    public Backend openForSystem(CommandSpec spec) {
        try {
            return Backends.openForSystem(Optional.ofNullable(backend), configuration());
        } catch (BackendUnavailableException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Opens the backend; that it cannot be used here is a mistake of the command line.
     *
     * @param spec the command, for complaints
     * @return the backend; the caller closes it
     * @throws ParameterException if it cannot be used here; says why
     */
    @MustBeClosed
    public Backend open(CommandSpec spec) {
        try {
            return Backends.open(name(), configuration());
        } catch (BackendUnavailableException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
