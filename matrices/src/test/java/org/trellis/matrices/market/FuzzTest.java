package org.trellis.matrices.market;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.MatrixFormatException;
import org.trellis.matrices.FuzzRun;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.harwellboeing.HarwellBoeing;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/**
 * Damaged input gives a sound matrix or a {@link MatrixFormatException}, the same whichever way it is read and the same
 * as a second, simple reader of the format gives, in time and memory that are in proportion to the text. Some thousand
 * texts by default; {@link FuzzRun#MINUTES} makes it more.
 */
class FuzzTest {
    private static final int ROUNDS = TestLength.cases(400, 1_000);
    /** Rounds of tests that read a file several times, and of one that reads none. */
    private static final int FEW_ROUNDS = TestLength.cases(100, 200);
    private static final int MANY_ROUNDS = TestLength.cases(1_500, 4_000);
    private static final int POOL = 100;
    /** Row offsets and counters for as many rows as any file may claim, and blocks of text. */
    private static final long FREE_BYTES = 4 * 4 * MarketReader.UNCONDITIONAL_SIZE + (4 << 20);
    private static final long BYTES_PER_BYTE = 200;
    private static final ReadOptions OPTIONS =
            ReadOptions.DEFAULT.withThreads(1).withComplexPolicy(ComplexPolicy.IMAGINARY_PART);
    private static final List<byte[]> MARKET = texts(
            "%%MatrixMarket matrix coordinate real general\n% c\n4 5 5\n1 1 1.5\n2 5 -2e-1\n\n4 4 7\n4 1 .5\n2 2 9\n",
            "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n3 1 2.25\n2 2 3\n3 2 4e10\n",
            "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 5\n3 2 -1\n",
            "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 5 6\n",
            "%%MatrixMarket matrix coordinate pattern general\r\n9 9 3\r\n1 2\r\n2 1\r\n9 9\r\n",
            "%%MatrixMarket matrix array real general\n2 3\n1\n2\n%\n0\n4\n\n5\n6\n",
            "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n",
            "%%MatrixMarket vector coordinate integer general\n3 2\n1 5\n3 7",
            "%%MatrixMarket matrix coordinate real general\n1 1 3\n1 1 123456789.123456789\n1 1 0.1\n1 1 9e-300\n",
            "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
    private static final List<byte[]> BOEING = texts(
            "t |k\n 3 1 1 1\nRUA 2 3 3 0\n(8I3) (8I3) (3E9.2)\n  1  2  2  4\n  2  1  2\n 1.50E+00-2.00E+00 3.0D-01\n",
            "t |k\n 3 1 1 1\nCHA 2 2 2 0\n(8I3) (8I3) (8F4.1)\n  1  3  3\n  1  2\n 1.0 0.0 2.0 3.0\n",
            "t |k\n 5 1 1 1 2\nPSA 2 2 3 0\n(8I3) (8I3)\nF 1 0\n  1  3  4\n  1  2  2\n 9.9\n",
            "t |k\n 3 1 1 1\nIZA 2 2 1 0\n(2I4) (8I3) (1P8I3)\n1 2 2\n  2\n  5\n");

    @TempDir
    private Path folder;

    private final SplittableRandom random = TestSeed.random("fuzz");
    private final Mutator mutator = new Mutator(random);

    private static List<byte[]> texts(String... texts) {
        return Arrays.stream(texts).map(text -> text.getBytes(StandardCharsets.ISO_8859_1)).toList();
    }

    private void repeat(int rounds, List<byte[]> originals, Consumer<byte[]> check) {
        List<byte[]> pool = new ArrayList<>(originals);
        FuzzRun.repeat(rounds, () -> {
            byte[] text = mutator.mutate(pool.get(random.nextInt(pool.size())), pool.get(random.nextInt(pool.size())));
            check.accept(text);
            if (text.length < 2_000 && random.nextInt(20) == 0) {
                // Damage adds up, but never takes over.
                pool.add(text);
                pool.add(originals.get(random.nextInt(originals.size())));
            }
            if (pool.size() > POOL) {
                pool.clear();
                pool.addAll(originals);
            }
        });
    }

    /** What reading gives, in words; anything but a sound matrix or a format exception fails the test. */
    private static String outcome(byte[] text, long mostBytes, FuzzRun.Reader reader) {
        FuzzRun.Outcome outcome = FuzzRun.check(text, mostBytes, reader);
        if (outcome.failure() != null) {
            MatrixFormatException e = outcome.failure();
            return e.line() + ":" + e.column() + ":" + e.getMessage().substring(e.file().length());
        }
        CsrMatrix matrix = (CsrMatrix) outcome.result();
        assertTrue(matrix.firstViolation().isEmpty(), () -> FuzzRun.describe(text));
        return matrix + " " + Arrays.toString(matrix.onlySegment().columnIndices())
                + matrix.onlySegment().values().toDoubleArray().length + checksum(matrix);
    }

    private static long checksum(CsrMatrix matrix) {
        long sum = 0;
        for (double value : matrix.onlySegment().values().toDoubleArray()) {
            sum = 31 * sum + Double.doubleToLongBits(value);
        }
        return sum;
    }

    /** Reads on this thread, whose allocations are counted. */
    private static String boundedOutcome(byte[] text, FuzzRun.Reader reader) {
        return outcome(text, FREE_BYTES + BYTES_PER_BYTE * text.length, reader);
    }

    /** A matrix in the words of the simple reader. */
    private static String words(CsrMatrix matrix) {
        TreeMap<Long, Double> entries = new TreeMap<>();
        CsrSegment rows = matrix.onlySegment();
        for (int row = 0; row < matrix.rows() && rows.nonZeros() > 0; row++) {
            for (int k = rows.rowOffsets()[row]; k < rows.rowOffsets()[row + 1]; k++) {
                entries.put(SimpleMarketReader.key(row, rows.columnIndices()[k]), rows.values().get(k));
            }
        }
        return SimpleMarketReader.words(matrix.rows(), matrix.columns(), entries);
    }

    @Test
    void theSimpleReaderGivesTheSameMatrixOrTheSameLine() {
        ReadOptions parts = random.nextBoolean() ? OPTIONS : OPTIONS.withComplexPolicy(ComplexPolicy.REAL_PART);
        boolean imaginary = parts.complexPolicy() == ComplexPolicy.IMAGINARY_PART;
        repeat(MANY_ROUNDS, MARKET, text -> {
            FuzzRun.Outcome outcome = FuzzRun.check(text, FREE_BYTES + BYTES_PER_BYTE * text.length,
                    () -> MatrixMarket.read(new ByteArrayInputStream(text), "m", parts));
            String ours = outcome.failure() == null
                    ? words((CsrMatrix) outcome.result())
                    : "line " + outcome.failure().line();
            String theirs;
            try {
                theirs = SimpleMarketReader.read(new String(text, StandardCharsets.ISO_8859_1), imaginary);
            } catch (SimpleMarketReader.WrongLine e) {
                theirs = e.getMessage();
            }
            assertEquals(theirs, ours, () -> FuzzRun.describe(text) + " " + outcome.failure());
        });
    }

    @Test
    void flippedBitsOfCompressedFilesMakeNoDifferenceOrAreSeen() {
        Path file = folder.resolve("flipped");
        List<byte[]> plain = new ArrayList<>(MARKET);
        plain.addAll(BOEING);
        FuzzRun.repeat(FEW_ROUNDS, () -> {
            byte[] text = plain.get(random.nextInt(plain.size()));
            byte[] bytes = Texts.gzip(text);
            FuzzRun.Reader reader = () -> MatrixFiles.read(Files.write(file, bytes), OPTIONS);
            String sound = boundedOutcome(text, reader);
            int bit = 16 + random.nextInt(8 * bytes.length - 16);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            FuzzRun.Outcome outcome = FuzzRun.check(bytes, FREE_BYTES + 10 * BYTES_PER_BYTE * text.length, reader);
            if (outcome.failure() == null) {
                assertEquals(sound, boundedOutcome(text, reader), () -> FuzzRun.describe(bytes));
            }
            byte[] cut = Arrays.copyOf(Texts.gzip(text), 2 + random.nextInt(bytes.length - 2));
            FuzzRun.Outcome half = FuzzRun.check(cut, FREE_BYTES + 10 * BYTES_PER_BYTE * text.length,
                    () -> MatrixFiles.read(Files.write(file, cut), OPTIONS));
            assertNotNull(half.failure(), () -> FuzzRun.describe(cut));
        });
    }

    @Test
    void marketFilesGiveOneAnswerWhicheverWayTheyAreRead() {
        Path file = folder.resolve("m");
        repeat(ROUNDS, MARKET, text -> {
            String expected = boundedOutcome(text,
                    () -> MatrixMarket.read(new ByteArrayInputStream(text), "m", OPTIONS));
            int blockBytes = 1 + random.nextInt(60);
            ReadOptions parallel = OPTIONS.withThreads(1 + random.nextInt(3));
            assertEquals(expected, outcome(text, Long.MAX_VALUE, () -> {
                Files.write(file, text);
                return new MarketReader(MarketInput.of(file, blockBytes), parallel).readMatrix();
            }), () -> "plain, blocks of " + blockBytes + ", " + FuzzRun.describe(text));
            assertEquals(expected, outcome(text, Long.MAX_VALUE, () -> {
                Files.write(file, Texts.gzip(text));
                return new MarketReader(MarketInput.of(file, blockBytes), parallel).readMatrix();
            }), () -> "compressed, blocks of " + blockBytes + ", " + FuzzRun.describe(text));
        });
    }

    @Test
    void damagedCompressedFiles() {
        Path file = folder.resolve("m.gz");
        repeat(ROUNDS, MARKET.stream().map(Texts::gzip).toList(), bytes -> boundedOutcome(bytes, () -> {
            Files.write(file, bytes);
            return MatrixMarket.read(file, OPTIONS);
        }));
    }

    @Test
    void boeingFiles() {
        Path file = folder.resolve("m.rb");
        repeat(ROUNDS, BOEING, text -> boundedOutcome(text, () -> {
            Files.write(file, text);
            return HarwellBoeing.read(file, OPTIONS);
        }));
    }

    @Test
    void vectorsAndHeaders() {
        Path file = folder.resolve("m");
        repeat(ROUNDS, MARKET, text -> boundedOutcome(text, () -> {
            Files.write(file, text);
            int rows = MatrixMarket.readHeader(file).rows();
            assertEquals(rows, MatrixMarket.readVector(file, OPTIONS).length());
            return CsrMatrix.identity(1, OPTIONS.precision());
        }));
    }
}
