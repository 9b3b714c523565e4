package org.trellis.bench.product;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.bench.measure.BackendContender;
import org.trellis.bench.measure.Contender;
import org.trellis.bench.measure.DeviceBandwidth;
import org.trellis.bench.option.ContenderOptions;
import org.trellis.bench.peer.Peer;
import org.trellis.bench.peer.PeerContender;
import org.trellis.bench.peer.PeerVariant;
import org.trellis.bench.peer.process.SeparatePeer;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.profile.Profile;

/** Who takes part in a run: open backends, their parameters, and peers. */
final class Contenders implements AutoCloseable {
    private final ContenderOptions options;
    private final List<SpmvParameters> explicit;
    private final List<Peer> peers;
    private final List<String> leftOut = new ArrayList<>();
    private final List<Profile> profiles;
    private final List<Backend> backends = new ArrayList<>();
    private final int threads;
    private final Function<Precision, Contender> ranked;

    /**
     * Opens the backends and looks for the peers.
     *
     * @throws IllegalArgumentException if one does not exist, a backend cannot be used, or the parameters make no sense
     */
    @MustBeClosed
    Contenders(ContenderOptions options) {
        this.options = options;
        this.explicit = options.explicitParameters();
        this.peers = SeparatePeer.apart(options.peers(leftOut));
        this.profiles = options.profiles();
        Configuration.Builder builder = Configuration.builder();
        if (options.threads() != null) {
            builder.set(ConfigurationKeys.THREADS, options.threads());
        }
        Configuration configuration = builder.build();
        this.threads = configuration.get(ConfigurationKeys.THREADS);
        this.ranked = null;
        for (String name : backendNames()) {
            open(name, configuration);
        }
    }

    /** Takes one contender for each precision, which computes on several ranks. */
    @MustBeClosed
    Contenders(ContenderOptions options, int ranks, Function<Precision, Contender> ranked) {
        this.options = options;
        this.explicit = List.of();
        this.peers = List.of();
        this.profiles = List.of();
        this.threads = ranks;
        this.ranked = ranked;
    }

    private Set<String> backendNames() {
        if (!options.backends().isEmpty()) {
            return new LinkedHashSet<>(options.backends());
        }
        Set<String> available = new LinkedHashSet<>();
        for (BackendProvider provider : Backends.providers()) {
            if (provider.probe().available()) {
                available.add(provider.name());
            }
        }
        return available;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void open(String name, Configuration configuration) {
        try {
            backends.add(Backends.open(name, configuration));
        } catch (BackendUnavailableException e) {
            close();
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (RuntimeException | OutOfMemoryError e) {
            close();
            throw e;
        }
    }

    /** Returns the peers that are measured in processes of their own. */
    List<String> separatePeers() {
        return SeparatePeer.names(peers);
    }

    /** Returns the threads asked for. */
    int threads() {
        return threads;
    }

    /** Returns a sentence for each peer that was asked for and cannot be used. */
    List<String> leftOut() {
        return leftOut;
    }

    /** Returns how many peers were named and cannot be used; those among all do not count. */
    int missing() {
        return options.namesPeers() ? leftOut.size() : 0;
    }

    /** Measures the memory of the devices that are not this process itself. */
    List<DeviceBandwidth> deviceBandwidths() {
        return backends.stream().map(DeviceBandwidth::of).flatMap(Optional::stream).toList();
    }

    /** Returns the versions of the peers that take part. */
    Map<String, String> peerVersions() {
        Map<String, String> versions = new LinkedHashMap<>();
        peers.forEach(peer -> versions.put(peer.name(), peer.version()));
        return versions;
    }

    /**
     * Lists the contenders for a matrix.
     *
     * @param objections receives a sentence for each explicit set of parameters that a backend refuses
     */
    List<Contender> of(CsrMatrix matrix, List<String> objections) {
        List<Contender> all = new ArrayList<>();
        for (Precision precision : options.precisions()) {
            if (ranked != null) {
                all.add(ranked.apply(precision));
            }
            CsrMatrix converted = matrix.toPrecision(precision);
            for (Backend backend : backends) {
                for (SpmvParameters parameters : parametersOf(backend, converted, objections)) {
                    all.add(new BackendContender(backend, parameters, precision));
                }
            }
            for (Peer peer : peers) {
                for (PeerVariant variant : peer.variants(precision, threads)) {
                    peer.constraint(variant, converted).ifPresentOrElse(
                            reason -> objections
                                    .add("peer " + peer.name() + " without " + variant.name() + ": " + reason),
                            () -> all.add(new PeerContender(peer, variant, precision)));
                }
            }
        }
        return all;
    }

    private Set<SpmvParameters> parametersOf(Backend backend, CsrMatrix matrix, List<String> objections) {
        SparseKernels kernels = backend.kernels(SparseKernels.class);
        Set<SpmvParameters> chosen = new LinkedHashSet<>();
        List<String> words = options.parameterWords();
        if (words.contains(ContenderOptions.RULE)) {
            chosen.add(kernels.rule(matrix));
        }
        if (!profiles.isEmpty()) {
            chosen.add(new Advisor(backend, profiles).advise(matrix).parameters());
        }
        if (words.contains(ContenderOptions.ALL)) {
            chosen.addAll(kernels.parameterSpace(matrix));
        }
        for (SpmvParameters parameters : explicit) {
            Optional<String> objection = kernels.constraint(matrix, parameters);
            objection.ifPresentOrElse(
                    reason -> objections.add("backend " + backend.name() + " refuses " + parameters + ": " + reason),
                    () -> chosen.add(parameters));
        }
        return chosen;
    }

    @Override
    public void close() {
        backends.forEach(Backend::close);
        SeparatePeer.closeAll(peers);
    }
}
