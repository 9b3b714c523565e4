package org.trellis.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Availability;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/** Peers whose libraries are missing, beside one that is whole. */
class PeersTest {
    private static final String MISSING = "org/example/Missing";

    @TempDir
    private Path folder;

    /** Has all that it needs. */
    public static class SoundPeer implements Peer {
        @Override
        public String name() {
            return "sound";
        }

        @Override
        public String version() {
            return "1";
        }

        @Override
        public Availability probe() {
            return Availability.yes("all there");
        }

        @Override
        public List<PeerVariant> variants(Precision precision, int threads) {
            return List.of(new PeerVariant("only", 1));
        }

        @Override
        public TimedProduct prepare(PeerVariant variant, CsrMatrix matrix, HostVector x) {
            throw new NoClassDefFoundError(MISSING);
        }

        @Override
        public Optional<String> constraint(PeerVariant variant, CsrMatrix matrix) {
            throw new NoClassDefFoundError(MISSING);
        }

        @Override
        public long read(Path file) {
            throw new NoClassDefFoundError(MISSING);
        }
    }

    /** Cannot be created. */
    public static final class StillbornPeer extends SoundPeer {
        private final Availability found = find();

        private static Availability find() {
            throw new NoClassDefFoundError(MISSING);
        }

        @Override
        public Availability probe() {
            return found;
        }
    }

    /** Fails when it is probed. */
    public static final class ProbedPeer extends SoundPeer {
        @Override
        public String name() {
            return "probed";
        }

        @Override
        public Availability probe() {
            throw new NoClassDefFoundError(MISSING);
        }
    }

    /** Says that all is well, and fails later. */
    public static final class OptimisticPeer extends SoundPeer {
        @Override
        public String name() {
            return "optimistic";
        }

        @Override
        public List<PeerVariant> variants(Precision precision, int threads) {
            throw new UnsatisfiedLinkError("no library");
        }
    }

    /** Wraps what goes wrong. */
    public static final class WrappingPeer extends SoundPeer {
        @Override
        public String name() {
            return "wrapping";
        }

        @Override
        public String version() {
            throw new IllegalStateException("not loaded", new UnsatisfiedLinkError("no library"));
        }
    }

    private List<Peer> peers() throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(Peer.class.getName()), String.join("\n", StillbornPeer.class.getName(),
                "org.example.NoSuchPeer", ProbedPeer.class.getName(), OptimisticPeer.class.getName(),
                WrappingPeer.class.getName(), SoundPeer.class.getName()));
        try (URLClassLoader loader =
                new URLClassLoader(new URL[]{folder.toUri().toURL()}, PeersTest.class.getClassLoader())) {
            return Peers.all(loader);
        }
    }

    @Test
    void oneWithoutItsLibraryDoesNotStopAnother() throws IOException {
        List<Peer> all = peers();
        assertEquals(List.of("optimistic", "probed", "sound", "stillborn", "wrapping"),
                all.stream().map(Peer::name).toList());
        assertEquals(List.of("sound"),
                all.stream().filter(peer -> peer.probe().available()).map(Peer::name).toList());
        for (Peer peer : all) {
            if (!peer.name().equals("sound")) {
                String reason = peer.probe().reason();
                assertTrue(reason.contains("its library is missing or does not fit"), reason);
                assertTrue(reason.contains(MISSING) || reason.contains("no library"), reason);
            }
        }
    }

    @Test
    void whatIsMissingLaterIsThatPeersFailure() {
        Peer peer = new GuardedPeer(new SoundPeer());
        PeerVariant variant = peer.variants(Precision.F64, 1).getFirst();
        CsrMatrix matrix = CsrMatrix.identity(2, Precision.F64);
        assertTrue(peer.constraint(variant, matrix).orElseThrow().contains(MISSING));
        assertThrows(IllegalStateException.class,
                () -> peer.prepare(variant, matrix, HostVector.of(new double[]{1, 2})));
        assertThrows(IOException.class, () -> peer.read(folder));
        assertFalse(peer.reads());
    }
}
