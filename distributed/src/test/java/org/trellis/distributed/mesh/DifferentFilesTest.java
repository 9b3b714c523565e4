package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.matrices.MatrixFiles;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.checkpoint.CheckpointInterval;
import org.trellis.mesh.checkpoint.Checkpoints;
import org.trellis.solve.VectorsLoops;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/** Ranks that read files of their own, of which one is another, damaged or missing: a sentence, and no wait. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DifferentFilesTest {
    private static final int RANKS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    private Path folder;

    private static String failure(Function<Communicator, Object> program) {
        JobFailedException thrown =
                assertThrows(JobFailedException.class, () -> ThreadRanks.run(RANKS, PATIENCE, program::apply));
        assertTrue(!thrown.getMessage().contains("still runs"), thrown.getMessage());
        return thrown.getMessage();
    }

    private static void assertSays(String expected, String message) {
        assertTrue(message.contains(expected), message + ", expected " + expected);
    }

    // Matrices: each rank takes its rows from a file of its own.

    private Path write(String name, String lines) throws IOException {
        return Files.writeString(folder.resolve(name), "%%MatrixMarket matrix coordinate real general\n" + lines);
    }

    private Path tridiagonal(String name, int rows) throws IOException {
        StringBuilder lines = new StringBuilder(rows + " " + rows + " " + (2 * rows - 1) + "\n");
        for (int row = 1; row <= rows; row++) {
            lines.append(row).append(' ').append(row).append(" 2\n");
            if (row < rows) {
                lines.append(row).append(' ').append(row + 1).append(" -1\n");
            }
        }
        return write(name, lines.toString());
    }

    private static PartitionedMatrix read(Communicator communicator, Path file, Precision precision) {
        try {
            CsrMatrix whole = MatrixFiles.read(file).toPrecision(precision);
            RowBlockBuilder rows = new RowBlockBuilder(precision, whole.rows());
            CsrRowCursor cursor = new CsrRowCursor(whole);
            for (int row = communicator.rank(); row < whole.rows(); row += communicator.size()) {
                cursor.moveTo(row);
                for (int k = cursor.start(); k < cursor.end(); k++) {
                    rows.add(cursor.columns()[k], cursor.value(k));
                }
                rows.endRow(row);
            }
            return PartitionedMatrix.ofRows(communicator, whole.rows(), rows.build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void ranksThatReadTheSameMatrixHaveIt() throws IOException {
        Path file = tridiagonal("a.mtx", 20);
        assertEquals(List.of(20L, 20L, 20L), ThreadRanks.run(RANKS, PATIENCE,
                communicator -> read(communicator, file, Precision.F64).globalRows()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void matricesOfOtherSizesAreRefused(int odd) throws IOException {
        Path file = tridiagonal("a.mtx", 20);
        Path other = tridiagonal("b.mtx", 23);
        String message = failure(communicator -> read(communicator, communicator.rank() == odd ? other : file,
                Precision.F64));
        assertSays(odd == 0
                ? "rank 0 has a matrix of 23 rows, rank 1 has a matrix of 20 rows"
                : "rank 0 has a matrix of 20 rows, rank " + odd + " has a matrix of 23 rows", message);
        assertSays("they may have read different files", message);
    }

    @Test
    void matricesOfOtherPrecisionAreRefused() throws IOException {
        Path file = tridiagonal("a.mtx", 20);
        assertSays("rank 0 has values in f64, rank 2 has values in f32",
                failure(communicator -> read(communicator, file,
                        communicator.rank() == 2 ? Precision.F32 : Precision.F64)));
    }

    @Test
    void damagedAndMissingFilesOfOneRankAreNamed() throws IOException {
        Path file = tridiagonal("a.mtx", 20);
        Path damaged = write("bad.mtx", "20 20 3\n1 1 1\n2 2 x\n3 3 1\n");
        assertSays("bad.mtx:4", failure(communicator -> read(communicator, communicator.rank() == 1 ? damaged : file,
                Precision.F64)));
        String message = failure(communicator -> read(communicator,
                communicator.rank() == 1 ? folder.resolve("none.mtx") : file, Precision.F64));
        assertSays("rank 1 ended with", message);
        assertSays("none.mtx", message);
    }

    // Meshes.

    private record Read(int nodes, int edges, int shift, Precision precision) {}

    private static Object mesh(Communicator communicator, Read file) {
        try (Backend backend = Backends.open("reference", Configuration.load());
                Mesh mesh = DistributedMesh.on(backend, communicator)) {
            MeshSet nodes = mesh.set("nodes", file.nodes());
            MeshSet edges = mesh.set("edges", file.edges());
            int[] ends = new int[2 * file.edges()];
            for (int edge = 0; edge < file.edges(); edge++) {
                ends[2 * edge] = edge;
                ends[2 * edge + 1] = (edge + file.shift()) % file.nodes();
            }
            mesh.map("ends", edges, nodes, 2, ends);
            mesh.dat("x", nodes, 1, file.precision());
            mesh.divide();
            return DistributedMesh.owners(nodes).length;
        }
    }

    @Test
    void meshesOfOtherFilesAreRefused() {
        Read usual = new Read(20, 19, 1, Precision.F64);
        assertEquals(List.of(20, 20, 20),
                ThreadRanks.run(RANKS, PATIENCE, communicator -> mesh(communicator, usual)));
        Read[] others = {new Read(21, 19, 1, Precision.F64), new Read(20, 18, 1, Precision.F64),
            new Read(20, 19, 2, Precision.F64), new Read(20, 19, 1, Precision.F32)};
        String[] expected = {"rank 0 has set 'nodes' of 20 elements, rank 2 has set 'nodes' of 21 elements",
            "rank 2 has set 'edges' of 18 elements",
            "rank 2 has map 'ends' from set 'edges' to set 'nodes', 2 entries, "
                    + "targets with hash",
            "rank 2 has dat 'x' on set 'nodes', 1 components of F32"};
        for (int i = 0; i < others.length; i++) {
            Read odd = others[i];
            String message = failure(communicator -> mesh(communicator, communicator.rank() == 2 ? odd : usual));
            assertSays(expected[i], message);
        }
    }

    // Checkpoints.

    private static double grow(Communicator communicator, Checkpoints checkpoints, int iterations) {
        RankOptions options = RankOptions.usual();
        try (Backend backend = Backends.open("reference", Configuration.load());
                Mesh mesh = DistributedMesh.on(backend, communicator,
                        options.withMesh(options.mesh().withCheckpoints(checkpoints)))) {
            MeshSet set = mesh.set("set", 50);
            Dat x = mesh.dat("x", set, 1, Precision.F64).fill(1);
            Dat y = mesh.dat("y", set, 1, Precision.F64);
            Global one = mesh.global("one", 1);
            ParallelLoop add = mesh.loop(VectorsLoops.AXPY, set, one, x, y);
            LoopSequence sequence = mesh.sequence("iteration").run(add).build();
            for (int i = 0; i < iterations; i++) {
                sequence.run();
            }
            return y.get(49, 0);
        }
    }

    private Path state(String name, int every) {
        Path file = folder.resolve(name);
        ThreadRanks.run(RANKS, PATIENCE, communicator -> grow(communicator,
                Checkpoints.to(file).withInterval(CheckpointInterval.iterations(every)), 80));
        return file;
    }

    @Test
    void ranksThatStartFromOtherCheckpointsAreRefused() {
        Path first = state("first", 5);
        Path second = state("second", 7);
        assertEquals(List.of(80.0, 80.0, 80.0), ThreadRanks.run(RANKS, PATIENCE,
                communicator -> grow(communicator, Checkpoints.from(second), 80)));
        String message = failure(communicator -> grow(communicator,
                Checkpoints.from(communicator.rank() == 1 ? second : first), 80));
        assertSays("others from another checkpoint, expected the same file on all ranks", message);
        String missing = failure(communicator -> grow(communicator,
                Checkpoints.from(communicator.rank() == 1 ? folder.resolve("nothing") : first), 80));
        assertSays("rank 1 ended with", missing);
        assertSays("no checkpoint to start from", missing);
    }

    /** One rank's own file is gone, or another's. */
    @Test
    void filesOfRanksThatAreGoneAreNamed() throws IOException {
        Path file = state("whole", 5);
        List<Path> ofRanks;
        try (Stream<Path> all = Files.list(folder)) {
            ofRanks = all.filter(path -> path.getFileName().toString().matches("whole\\.\\d+\\.1")).toList();
        }
        assertTrue(!ofRanks.isEmpty());
        for (Path one : ofRanks) {
            Files.delete(one);
        }
        String message = failure(communicator -> grow(communicator, Checkpoints.from(file), 80));
        assertSays("ended with", message);
        assertSays(ofRanks.getFirst().getFileName().toString(), message);
    }
}
