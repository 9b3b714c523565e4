package org.trellis.mesh.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.trellis.common.BackendUnavailableException;

/** Finds partitioners by name. */
public final class Partitioners {
    private Partitioners() {}

    /**
     * Returns the partitioners on the class or module path, whether they can be used here or not.
     *
     * @return the built-in one, then the others by name
     */
    public static List<Partitioner> all() {
        List<Partitioner> all = new ArrayList<>();
        all.add(new MultilevelPartitioner());
        ServiceLoader.load(Partitioner.class, Partitioners.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .forEach(all::add);
        return List.copyOf(all);
    }

    /**
     * Returns a partitioner.
     *
     * @param name {@code multilevel}, {@code metis}, {@code scotch} or another that was registered
     * @return the partitioner, which can be used here
     * @throws BackendUnavailableException if there is none of that name or it cannot be used here; the message has the
     *                                     reasons of all
     */
    public static Partitioner named(String name) {
        StringBuilder reasons = new StringBuilder("partitioner '").append(name).append("' cannot be used here.");
        for (Partitioner partitioner : all()) {
            boolean available = partitioner.probe().available();
            if (available && partitioner.name().equals(name)) {
                return partitioner;
            }
            reasons.append(' ').append(partitioner.name()).append(": ")
                    .append(available ? "available" : "not available")
                    .append(" (").append(partitioner.probe().reason()).append(").");
        }
        throw new BackendUnavailableException(reasons.toString());
    }
}
