package org.trellis.tuner.features;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.trellis.common.Precision;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshMap;

/**
 * What a profile shows readers about a parallel loop. What distinguishes loops is their {@link LoopFingerprint}.
 *
 * @param kernel    class and method
 * @param set       the name of the set that it runs over
 * @param sizes     the sizes of that set and of those that its maps lead to, by name
 * @param precision the precision of real dats
 * @param arguments what each parameter is bound to: access, components, dat, map and entry, layout
 * @param order     {@code user}, or {@code renumbered}, or {@code partitioned}: how the loop's set is numbered
 */
public record LoopFeatures(String kernel, String set, Map<String, Integer> sizes, Precision precision,
        List<String> arguments, String order) {
    /**
     * Copies the collections.
     *
     * @throws IllegalArgumentException if the set is not among those with a size
     */
    public LoopFeatures {
        Objects.requireNonNull(kernel);
        Objects.requireNonNull(set);
        Objects.requireNonNull(precision);
        Objects.requireNonNull(order);
        sizes = new LinkedHashMap<>(sizes);
        arguments = List.copyOf(arguments);
        if (!sizes.containsKey(set)) {
            throw new IllegalArgumentException("sizes are of sets " + sizes.keySet() + ", expected '" + set
                    + "' among them");
        }
    }

    /**
     * Returns the sizes.
     *
     * @return a copy, in the order in which arguments name the sets
     */
    @Override
    public Map<String, Integer> sizes() {
        return new LinkedHashMap<>(sizes);
    }

    /**
     * Describes a loop. Costs nothing worth mentioning.
     *
     * @param loop the loop in its present layouts and numbering
     * @return its features
     */
    public static LoopFeatures of(LoopDeclaration loop) {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        sizes.put(loop.set().name(), loop.set().size());
        List<String> arguments = new ArrayList<>();
        for (int a = 0; a < loop.arity(); a++) {
            String access = loop.access(a).name().toLowerCase(Locale.ROOT).replace('_', '-') + ' '
                    + loop.signature(a).components() + " of " + loop.argument(a).name();
            Dat dat = loop.dat(a);
            if (dat == null) {
                arguments.add(access);
                continue;
            }
            sizes.put(dat.set().name(), dat.set().size());
            String layout = dat.components() == 1 ? "" : ", " + dat.layout().label();
            arguments.add(access + reached(loop, a) + layout);
        }
        String order = loop.set().hasBlocks() ? "partitioned" : loop.set().inUserOrder() ? "user" : "renumbered";
        return new LoopFeatures(loop.name(), loop.set().name(), sizes, loop.precision(), arguments, order);
    }

    private static String reached(LoopDeclaration loop, int a) {
        MeshMap map = loop.map(a);
        if (map == null) {
            return "";
        }
        return " by " + map.name() + '[' + (loop.entry(a) < 0 ? "all" : Integer.toString(loop.entry(a))) + ']';
    }

    /**
     * Returns the elements that the loop runs over.
     *
     * @return the size of its set
     */
    public int elements() {
        return sizes.get(set);
    }

    /**
     * Returns the layouts in a word.
     *
     * @return {@code aos}, {@code soa}, {@code mixed}, or {@code -} where no dat has several components
     */
    public String layouts() {
        boolean aos = arguments.stream().anyMatch(argument -> argument.endsWith(", aos"));
        boolean soa = arguments.stream().anyMatch(argument -> argument.endsWith(", soa"));
        return aos && soa ? "mixed" : aos ? "aos" : soa ? "soa" : "-";
    }
}
