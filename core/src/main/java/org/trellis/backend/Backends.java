package org.trellis.backend;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;

/** Finds and opens backends. */
public final class Backends {
    /** The name that asks for the available backend of highest priority. */
    public static final String BEST = "best";

    private Backends() {}

    /**
     * Returns the providers on the class or module path.
     *
     * @return all of them, highest priority first, then by name
     */
    public static List<BackendProvider> providers() {
        return ServiceLoader.load(BackendProvider.class, Backends.class.getClassLoader())
                .stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparingInt(BackendProvider::priority).reversed()
                        .thenComparing(BackendProvider::name))
                .toList();
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
        List<BackendProvider> providers = providers();
        for (BackendProvider provider : providers) {
            boolean wanted = name.equals(BEST) || name.equals(provider.name());
            if (wanted && provider.probe().available()) {
                return provider.open(configuration);
            }
        }
        throw new BackendUnavailableException(explain(name, providers));
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
