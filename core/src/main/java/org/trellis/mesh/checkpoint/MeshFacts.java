package org.trellis.mesh.checkpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;

/** What a mesh, its data and its options are before the first step, as texts that two runs can compare. */
final class MeshFacts {
    /** Ranks have backends of their own: only runs on one rank compare them. */
    private static final String BACKEND = "backend";
    private static final String CHAINS = "chains of the options";
    /** Differences that are named one by one: another mesh differs in nearly everything. */
    private static final int NAMED = 5;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private MeshFacts() {}

    /** Describes a mesh. Costs a pass over its maps and dats. */
    static Map<String, String> of(Mesh mesh) {
        Map<String, String> facts = new LinkedHashMap<>();
        MeshOptions options = mesh.options();
        facts.put("layout of the options", options.layout().toString());
        facts.put("scheme of the options", options.scheme().map(Object::toString).orElse("the rule's"));
        facts.put("block size of the options", options.blockSize().map(Object::toString).orElse("the rule's"));
        facts.put("fission of the options", Boolean.toString(options.fission()));
        if (mesh.ranks().isEmpty()) {
            facts.put(BACKEND, mesh.backend().name());
        }
        if (options.chains().isActive()) {
            facts.put(CHAINS, options.chains().toString());
        }
        for (MeshSet set : mesh.sets()) {
            facts.put("set '" + set.name() + "'", set.size() + " elements" + (set.inUserOrder()
                    ? " in the user's order"
                    : ", order " + hex(order(set))));
        }
        for (MeshMap map : mesh.maps()) {
            facts.put("map '" + map.name() + "'", "from '" + map.from().name() + "' to '" + map.to().name()
                    + "', targets " + hex(hash(map.toArray())));
        }
        for (Dat dat : mesh.dats()) {
            facts.put("dat '" + dat.name() + "'", dat.components() + " " + dat.type().label() + " on '"
                    + dat.set().name() + "', first values " + hex(hash(dat.toArray())));
        }
        return facts;
    }

    private static String hex(long value) {
        return Long.toHexString(value);
    }

    private static long hash(int... values) {
        long hash = values.length;
        for (int value : values) {
            hash = (hash ^ value) * FACTOR;
        }
        return hash;
    }

    private static long hash(double... values) {
        long hash = values.length;
        for (double value : values) {
            hash = (hash ^ Double.doubleToRawLongBits(value)) * FACTOR;
            hash ^= hash >>> Integer.SIZE;
        }
        return hash;
    }

    private static long order(MeshSet set) {
        long hash = set.size();
        for (int element = 0; element < set.size(); element++) {
            hash = (hash ^ set.current(element)) * FACTOR;
        }
        return hash;
    }

    /**
     * Compares what two runs have.
     *
     * @throws CheckpointException if they differ; names what does
     */
    static void requireSame(String file, Map<String, String> before, Map<String, String> now) {
        List<String> differences = new ArrayList<>();
        before.forEach((what, value) -> {
            String other = now.get(what);
            if (other == null && !what.equals(BACKEND)) {
                differences.add(what + (what.equals(CHAINS) ? " are none, expected " + value : " is missing"));
            } else if (other != null && !other.equals(value)) {
                differences.add(what + (what.equals(CHAINS) ? " are " : " is ") + other + ", expected " + value);
            }
        });
        now.keySet().stream().filter(what -> !before.containsKey(what) && !what.equals(BACKEND))
                .forEach(what -> differences.add(what
                        + (what.equals(CHAINS) ? " are " + now.get(what) + ", expected none" : " is new")));
        if (!differences.isEmpty()) {
            throw new CheckpointException(file + " is of another program, mesh or options; "
                    + String.join("; ", differences.subList(0, Math.min(NAMED, differences.size())))
                    + (differences.size() > NAMED ? "; and " + (differences.size() - NAMED) + " more" : ""));
        }
    }
}
