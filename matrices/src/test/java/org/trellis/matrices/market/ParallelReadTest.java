package org.trellis.matrices.market;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.testing.TestSeed;

/** Files of several blocks: any number of threads, plain or compressed, gives the one answer. */
class ParallelReadTest {
    private static final int[] THREADS = {1, 2, 3, 7};

    @TempDir
    private Path folder;

    private Texts texts;

    @BeforeEach
    void prepare() {
        texts = new Texts(folder);
    }

    /** A random file and what it says, worked out with a map. */
    private static final class RandomFile {
        private final SplittableRandom random;
        private final int rows;
        private final int columns;
        private final boolean mirrored;
        private final double sign;
        private final StringBuilder lines = new StringBuilder();
        private final Map<Long, Double> elements = new TreeMap<>();

        RandomFile(SplittableRandom random, int rows, int columns, String symmetry) {
            this.random = random;
            this.rows = rows;
            this.columns = columns;
            this.mirrored = !symmetry.equals("general");
            this.sign = symmetry.equals("skew-symmetric") ? -1 : 1;
        }

        void add(int row, int column) {
            double value = random.nextInt(-8, 8) * 0.25;
            if (random.nextInt(40) == 0) {
                lines.append(random.nextBoolean() ? "% a comment\n" : " \t \r\n");
            }
            String blank = " ".repeat(1 + random.nextInt(3) * random.nextInt(2));
            lines.append(row + 1).append(blank).append(column + 1).append(blank).append(value).append('\n');
            elements.merge((long) row << 32 | column, value, Double::sum);
            if (mirrored && row != column) {
                elements.merge((long) column << 32 | row, sign * value, Double::sum);
            }
        }

        String text(String symmetry, int entries) {
            return "%%MatrixMarket matrix coordinate real " + symmetry + "\n" + rows + " " + columns + " " + entries
                    + "\n" + lines;
        }

        void check(CsrMatrix matrix, String what) {
            assertEquals(elements.size(), matrix.nonZeros(), what);
            int[] offsets = new int[rows + 1];
            int[] indices = new int[elements.size()];
            double[] values = new double[elements.size()];
            int next = 0;
            for (Map.Entry<Long, Double> element : elements.entrySet()) {
                offsets[(int) (element.getKey() >>> 32) + 1]++;
                indices[next] = element.getKey().intValue();
                values[next++] = element.getValue();
            }
            for (int i = 0; i < rows; i++) {
                offsets[i + 1] += offsets[i];
            }
            CsrSegment segment = matrix.onlySegment();
            assertArrayEquals(offsets, segment.rowOffsets(), what);
            for (int k = 0; k < next; k++) {
                assertEquals(indices[k], segment.columnIndices()[k], what);
                assertEquals(values[k], segment.values().get(k), what);
            }
        }
    }

    private void checkAll(RandomFile file, String text, String what) {
        Path plain = texts.file(text);
        Path compressed = texts.file("m.gz", Texts.gzip(text.getBytes(StandardCharsets.US_ASCII)));
        for (int threads : THREADS) {
            ReadOptions options = ReadOptions.DEFAULT.withThreads(threads);
            String run = what + ", " + threads + " threads, seed " + TestSeed.value();
            file.check(Texts.read(plain, options), run);
            file.check(Texts.read(compressed, options), "compressed " + run);
        }
        file.check(Texts.read(plain, ReadOptions.DEFAULT.withPrecision(Precision.F32)), "f32 " + what);
    }

    @Test
    void entriesInRandomOrderWithDuplicates() {
        SplittableRandom random = TestSeed.random("random order");
        for (int[] size : new int[][]{{1, 1}, {1, 5000}, {5000, 1}, {300, 200}, {40_000, 100}, {9, 20_000}}) {
            RandomFile file = new RandomFile(random, size[0], size[1], "general");
            for (int k = 0; k < 60_000; k++) {
                file.add(random.nextInt(size[0]), random.nextInt(size[1]));
            }
            checkAll(file, file.text("general", 60_000), size[0] + " x " + size[1]);
        }
    }

    @Test
    void entriesInTheOrderOfRows() {
        SplittableRandom random = TestSeed.random("row order");
        RandomFile file = new RandomFile(random, 30_010, 500, "general");
        int entries = 0;
        for (int row = 7; row < 30_000; row += 1 + random.nextInt(2) * random.nextInt(9)) {
            for (int column = random.nextInt(400); column < 500; column += 1 + random.nextInt(60)) {
                file.add(row, column);
                entries++;
            }
        }
        checkAll(file, file.text("general", entries), "row order");
    }

    @Test
    void trianglesOfEitherSide() {
        SplittableRandom random = TestSeed.random("triangles");
        for (String symmetry : List.of("symmetric", "skew-symmetric")) {
            for (boolean lower : new boolean[]{true, false}) {
                RandomFile file = new RandomFile(random, 700, 700, symmetry);
                int entries = 0;
                for (int column = 0; column < 700; column++) {
                    for (int row = column + (symmetry.equals("symmetric") ? 0 : 1); row < 700; row += 1
                            + random.nextInt(9)) {
                        file.add(lower ? row : column, lower ? column : row);
                        entries++;
                    }
                }
                checkAll(file, file.text(symmetry, entries), symmetry + (lower ? " lower" : " upper"));
            }
        }
    }

    @Test
    void longCommentsBetweenBlocks() {
        SplittableRandom random = TestSeed.random("long comments");
        RandomFile file = new RandomFile(random, 100, 100, "general");
        for (int k = 0; k < 60_000; k++) {
            file.add(random.nextInt(100), random.nextInt(100));
            if (k % 9_000 == 77) {
                file.lines.append("  %").append("1 1 1 ".repeat(random.nextInt(200_000))).append('\n');
            }
        }
        checkAll(file, file.text("general", 60_000), "long comments");
    }

    @Test
    void errorsAreThoseOfASequentialReader() {
        SplittableRandom random = TestSeed.random("errors");
        List<String> lines = new ArrayList<>();
        for (int k = 0; k < 50_000; k++) {
            lines.add("1 " + (1 + random.nextInt(1000)) + " " + random.nextInt(100));
        }
        for (int round = 0; round < 6; round++) {
            List<String> wrong = new ArrayList<>(lines);
            int first = random.nextInt(50_000);
            wrong.set(first, "1 1001 5");
            wrong.set(random.nextInt(first, 50_000), "1 1 x");
            String text = "%%MatrixMarket matrix coordinate real general\n1000 1000 50000\n" + String.join("\n", wrong);
            for (int threads : THREADS) {
                MatrixFormatException failure = texts.refuse(text, ReadOptions.DEFAULT.withThreads(threads),
                        first + 3L, wrong.get(first).equals("1 1 x") ? 5 : 3);
                assertTrue(failure.line() > 0, failure.getMessage());
            }
        }
    }

    @Test
    void wrongCountsInLargeFiles() {
        String lines = "1 1 1\n%\n".repeat(100_000);
        for (int threads : THREADS) {
            ReadOptions options = ReadOptions.DEFAULT.withThreads(threads);
            String banner = "%%MatrixMarket matrix coordinate integer general\n3 3 ";
            texts.refuse(banner + "99999\n" + lines, options, 200_001, 1);
            texts.refuse(banner + "5\n" + lines, options, 13, 1);
            texts.refuse(banner + "100001\n" + lines, options, 200_003, 1);
        }
    }

    @Test
    void bothTrianglesFarApart() {
        String text = "%%MatrixMarket matrix coordinate pattern symmetric\n9 9 100002\n" + "2 1\n".repeat(100_000)
                + "3 4\n2 1\n";
        for (int threads : THREADS) {
            texts.refuse(text, ReadOptions.DEFAULT.withThreads(threads), 100_003, 1);
        }
    }

    @Test
    void progressRisesToTheEnd() throws IOException {
        String text = "%%MatrixMarket matrix coordinate integer general\n3 3 200000\n" + "1 1 1\n".repeat(200_000);
        for (int threads : THREADS) {
            List<String> stages = new ArrayList<>();
            List<Long> done = new ArrayList<>();
            Path file = texts.file(text);
            MatrixMarket.read(file, ReadOptions.DEFAULT.withThreads(threads).withProgress((stage, now, total) -> {
                assertTrue(now >= 0 && now <= total, stage + " " + now + " of " + total);
                if (stage.equals("parse")) {
                    done.add(now);
                    assertEquals(text.length(), total);
                }
                stages.add(stage);
            }));
            assertEquals(done.stream().sorted().toList(), done);
            assertEquals(text.length(), done.get(done.size() - 1));
            assertEquals("assemble", stages.get(stages.size() - 1));
            assertTrue(stages.size() < 210, "calls: " + stages.size());
        }
    }

    @Test
    void anExceptionOfTheListenerStopsTheRead() {
        Path file = texts.file("%%MatrixMarket matrix coordinate integer general\n3 3 200000\n"
                + "1 1 1\n".repeat(200_000));
        for (int threads : THREADS) {
            assertThrows(IllegalStateException.class,
                    () -> Texts.read(file,
                            ReadOptions.DEFAULT.withThreads(threads).withProgress((stage, now, all) -> {
                                throw new IllegalStateException("enough");
                            })));
        }
    }
}
