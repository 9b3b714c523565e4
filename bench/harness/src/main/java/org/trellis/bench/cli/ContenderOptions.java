package org.trellis.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.Peers;
import org.trellis.common.Precision;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileException;
import picocli.CommandLine.Option;

/** The options that say who takes part in a measurement. */
final class ContenderOptions {
    static final String RULE = "rule";
    static final String ALL = "all";

    @Option(names = "--backend", paramLabel = "NAME", split = ",",
            description = "Backends to measure; may be repeated. Default: all that can be used here.")
    private List<String> backends = new ArrayList<>();

    @Option(names = "--precision", paramLabel = "f64|f32", split = ",", converter = PrecisionConverter.class,
            description = "Precisions to measure; may be repeated. Default: f64.")
    private List<Precision> precisions = new ArrayList<>();

    @Option(names = "--threads", paramLabel = "N", converter = ThreadsConverter.class,
            description = "Threads of every contender that can use several. Default: the setting trellis.threads.")
    private Integer threads;

    @Option(names = "--parameters", paramLabel = "SET", description = {
        "rule: what each backend's rule proposes (default); all: each backend's whole parameter "
                + "space; or a set such as family=sell,chunkRows=8,sortingWindow=256,simd=true. May be repeated."})
    private List<String> parameters = new ArrayList<>();

    @Option(names = "--profile", paramLabel = "FILE", description = {
        "Measure what this tuning profile proposes too; may be repeated."})
    private List<Path> profiles = new ArrayList<>();

    @Option(names = "--peer", paramLabel = "NAME", split = ",",
            description = "Libraries to measure beside Trellis: ejml, mkl, ojalgo, smile or all; may be repeated.")
    private List<String> peers = new ArrayList<>();

    List<String> backends() {
        return backends;
    }

    List<Precision> precisions() {
        return precisions.isEmpty() ? List.of(Precision.F64) : precisions.stream().distinct().toList();
    }

    Integer threads() {
        return threads;
    }

    /** Reads the profiles. */
    List<Profile> profiles() {
        return profiles.stream().map(file -> {
            try {
                return Profile.read(file);
            } catch (IOException e) {
                throw new IllegalArgumentException(Problems.describe(e), e);
            } catch (ProfileException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }).toList();
    }

    List<String> parameterWords() {
        return parameters.isEmpty() ? List.of(RULE) : parameters;
    }

    /** Returns the explicit sets of parameters. */
    List<SpmvParameters> explicitParameters() {
        return parameterWords().stream().filter(word -> !word.equals(RULE) && !word.equals(ALL))
                .map(ContenderOptions::parse).toList();
    }

    /**
     * Returns the peers asked for, each of which can be used.
     *
     * @param leftOut receives a sentence for each that is among all but cannot be used
     */
    List<Peer> peers(List<String> leftOut) {
        if (peers.contains(ALL)) {
            return usable(Peers.all(), leftOut);
        }
        return peers.stream().distinct().map(Peers::require).toList();
    }

    /** Of all peers those that can be used; of the others a sentence each. */
    static List<Peer> usable(List<Peer> all, List<String> leftOut) {
        List<Peer> usable = new ArrayList<>();
        for (Peer peer : all) {
            if (peer.probe().available()) {
                usable.add(peer);
            } else {
                leftOut.add("peer " + peer.name() + " is left out: " + peer.probe().reason());
            }
        }
        return usable;
    }

    static SpmvParameters parse(String text) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (String part : text.split("[,\\s]+")) {
            int equals = part.indexOf('=');
            if (equals < 0 && map.isEmpty()) {
                map.put("family", part);
            } else if (equals < 1) {
                throw new IllegalArgumentException("--parameters: '" + part + "' in '" + text
                        + "', expected rule, all, or name=value");
            } else {
                map.put(part.substring(0, equals), value(part.substring(equals + 1)));
            }
        }
        try {
            return SpmvParameters.fromMap(map);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--parameters '" + text + "': " + e.getMessage(), e);
        }
    }

    private static Object value(String text) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        return text.matches("\\d{1,9}") ? Integer.valueOf(text) : text;
    }
}
