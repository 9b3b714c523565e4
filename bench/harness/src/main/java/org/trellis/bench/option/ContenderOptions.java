package org.trellis.bench.option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.bench.console.ErrorMessages;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.Peers;
import org.trellis.common.Precision;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileException;
import picocli.CommandLine.Option;

/** The options that say who takes part in a measurement. */
public final class ContenderOptions {
    /** The word for what each backend's rule proposes. */
    public static final String RULE = "rule";
    /** The word for everything that there is. */
    public static final String ALL = "all";

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

    /** Made by the command line that holds it, which then sets the options. */
    public ContenderOptions() {
        // Options are set by the command line.
    }

    /**
     * Returns the names of the backends to measure.
     *
     * @return as given; empty for all
     */
    public List<String> backends() {
        return backends;
    }

    /**
     * Names what was said that concerns contenders of one rank.
     *
     * @return names of options
     */
    public List<String> onlyForOneRank() {
        List<String> given = new ArrayList<>();
        if (!backends.isEmpty()) {
            given.add("--backend");
        }
        if (threads != null) {
            given.add("--threads");
        }
        if (!parameters.isEmpty()) {
            given.add("--parameters");
        }
        if (!profiles.isEmpty()) {
            given.add("--profile");
        }
        if (!peers.isEmpty()) {
            given.add("--peer");
        }
        return given;
    }

    /**
     * Returns the precisions to measure.
     *
     * @return each once; {@code f64} if none was given
     */
    public List<Precision> precisions() {
        return precisions.isEmpty() ? List.of(Precision.F64) : precisions.stream().distinct().toList();
    }

    /**
     * Returns the number of threads of a contender.
     *
     * @return at least 1, or null if it was not given
     */
    public Integer threads() {
        return threads;
    }

    /**
     * Reads the profiles.
     *
     * @return in the order given
     * @throws IllegalArgumentException if one cannot be read or is not a profile
     */
    public List<Profile> profiles() {
        return profiles.stream().map(file -> {
            try {
                return Profile.read(file);
            } catch (IOException e) {
                throw new IllegalArgumentException(ErrorMessages.describe(e), e);
            } catch (ProfileException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }).toList();
    }

    /**
     * Returns what was said about parameters.
     *
     * @return {@link #RULE}, {@link #ALL} or sets, at least one
     */
    public List<String> parameterWords() {
        return parameters.isEmpty() ? List.of(RULE) : parameters;
    }

    /**
     * Returns the parameters that were given one by one.
     *
     * @return without the words {@link #RULE} and {@link #ALL}
     * @throws IllegalArgumentException if one cannot be read
     */
    public List<SpmvParameters> explicitParameters() {
        return parameterWords().stream().filter(word -> !word.equals(RULE) && !word.equals(ALL))
                .map(ContenderOptions::parse).toList();
    }

    /**
     * Returns those of the peers asked for that can be used.
     *
     * @param leftOut receives a sentence for each that cannot
     * @return the peers
     * @throws IllegalArgumentException if one that is named is not known
     */
    public List<Peer> peers(List<String> leftOut) {
        if (peers.contains(ALL)) {
            return usable(Peers.all(), leftOut);
        }
        return usable(peers.stream().distinct().map(Peers::named).toList(), leftOut);
    }

    /**
     * Returns whether a peer that cannot be used is a failure: if it was named, and not one of all.
     *
     * @return false if all peers were asked for
     */
    public boolean namesPeers() {
        return !peers.contains(ALL);
    }

    /**
     * Parts peers that can be used from the others.
     *
     * @param all     the peers
     * @param leftOut receives a sentence for each that cannot be used
     * @return those that can
     */
    public static List<Peer> usable(List<Peer> all, List<String> leftOut) {
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
