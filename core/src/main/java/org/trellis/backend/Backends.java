package org.trellis.backend;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;

/** Finds and opens backends. */
public final class Backends {
    /** The name that asks for the available backend of highest priority. */
    public static final String BEST = "best";

    /** Looked for once: to read the class path takes longer than to solve a small system. */
    private static volatile List<BackendProvider> found;

    private Backends() {}

    /**
     * Returns the providers on the class or module path.
     *
     * @return all of them, highest priority first, then by name; the same each time
     */
    public static List<BackendProvider> providers() {
        List<BackendProvider> providers = found;
        if (providers == null) {
            providers = ServiceLoader.load(BackendProvider.class, Backends.class.getClassLoader())
                    .stream()
                    .map(ServiceLoader.Provider::get)
                    .sorted(Comparator.comparingInt(BackendProvider::priority).reversed()
                            .thenComparing(BackendProvider::name))
                    .toList();
            found = providers;
        }
        return providers;
    }

    /**
     * Opens the backend that the configuration names in {@link ConfigurationKeys#BACKEND}.
     *
     * @param configuration the settings
     * @return a backend that the caller closes
     * @throws BackendUnavailableException if it cannot be used here
     */
    @MustBeClosed
    public static Backend open(Configuration configuration) {
        return open(configuration.get(ConfigurationKeys.BACKEND), configuration);
    }

    /**
     * Opens a backend by name.
     *
     * @param name          a backend's name, or {@value #BEST}
     * @param configuration the settings
     * @return a backend that the caller closes
     * @throws BackendUnavailableException if there is none of that name or it cannot be used here; the message has the
     *                                     reasons of all
     */
    @MustBeClosed
    public static Backend open(String name, Configuration configuration) {
        return named(name).open(configuration);
    }

    private static BackendProvider named(String name) {
        List<BackendProvider> providers = providers();
        for (BackendProvider provider : providers) {
            boolean wanted = name.equals(BEST) || name.equals(provider.name());
            if (wanted && provider.probe().available()) {
                return provider;
            }
        }
        throw new BackendUnavailableException(explain(name, providers));
    }

    /**
     * Opens a backend of the host for one caller of several, as {@link BackendProvider#openSharing} does: the one that
     * the configuration names if it is one, or else the available one of highest priority.
     *
     * @param configuration the settings
     * @return a backend that the caller closes, or leaves to the garbage collector
     * @throws BackendUnavailableException if none can be used here; the message has the reasons of all
     */
    @MustBeClosed
    public static Backend openHost(Configuration configuration) {
        String configured = configuration.get(ConfigurationKeys.BACKEND);
        List<BackendProvider> usable =
                providers().stream().filter(provider -> provider.onHost() && provider.probe().available()).toList();
        for (BackendProvider provider : usable) {
            if (provider.name().equals(configured)) {
                return provider.openSharing(configuration);
            }
        }
        if (usable.isEmpty()) {
            throw new BackendUnavailableException(explain(BEST, providers()));
        }
        return usable.getFirst().openSharing(configuration);
    }

    /**
     * Opens a backend by name for one caller of several, as {@link BackendProvider#openSharing} does.
     *
     * @param name          a backend's name, or {@value #BEST}
     * @param configuration the settings
     * @return a backend that the caller closes
     * @throws BackendUnavailableException if there is none of that name or it cannot be used here; the message has the
     *                                     reasons of all
     */
    @MustBeClosed
    public static Backend openSharing(String name, Configuration configuration) {
        return named(name).openSharing(configuration);
    }

    /**
     * Opens the backend that systems are solved on: one that is named or configured, or else that of the host, which
     * is as good for small systems and is there at once.
     *
     * @param named         a backend's name, or {@value #BEST}; empty for the configured one
     * @param configuration the settings
     * @return a backend that the caller closes
     * @throws BackendUnavailableException if there is none of that name or it cannot be used here; the message has the
     *                                     reasons of all
     */
    @MustBeClosed
    public static Backend openForSystem(Optional<String> named, Configuration configuration) {
        String configured = configuration.get(ConfigurationKeys.BACKEND);
        if (named.isEmpty() && configured.equals(BEST)) {
            return openHost(configuration);
        }
        return openSharing(named.orElse(configured), configuration);
    }

    /**
     * Counts the devices of a backend.
     *
     * @param name a backend's name
     * @return at least 1
     * @throws BackendUnavailableException if there is none of that name or it cannot be used here; the message has the
     *                                     reasons of all
     */
    public static int devices(String name) {
        List<BackendProvider> providers = providers();
        return providers.stream().filter(provider -> name.equals(provider.name()) && provider.probe().available())
                .findFirst().orElseThrow(() -> new BackendUnavailableException(explain(name, providers))).devices();
    }

    private static String explain(String name, List<BackendProvider> providers) {
        boolean known = name.equals(BEST) || providers.stream().anyMatch(provider -> provider.name().equals(name));
        StringBuilder text = new StringBuilder("backend '").append(name)
                .append(known ? "' cannot be used here." : "' is unknown, expected one of these or '" + BEST + "'.");
        for (BackendProvider provider : providers) {
            Availability availability = provider.probe();
            text.append(' ').append(provider.name()).append(": ")
                    .append(availability.available() ? "available" : "not available")
                    .append(" (").append(availability.reason()).append(").");
        }
        return text.toString();
    }
}
