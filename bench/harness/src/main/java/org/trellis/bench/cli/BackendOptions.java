package org.trellis.bench.cli;

import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a command that works with one backend. */
final class BackendOptions {
    @Option(names = "--backend", paramLabel = "NAME",
            description = "The backend. Default: the setting trellis.backend.")
    private String backend;

    @Option(names = "--threads", paramLabel = "N", converter = ThreadsConverter.class,
            description = "Threads of the backend. Default: the setting trellis.threads.")
    private Integer threads;

    /** Opens the backend; that it cannot be used here is a mistake of the command line. */
    Backend open(CommandSpec spec) {
        Configuration.Builder builder = Configuration.builder();
        if (threads != null) {
            builder.set(ConfigurationKeys.THREADS, threads);
        }
        Configuration configuration = builder.build();
        String name = backend == null ? configuration.get(ConfigurationKeys.BACKEND) : backend;
        try {
            return Backends.open(name, configuration);
        } catch (BackendUnavailableException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
