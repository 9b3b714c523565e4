package org.trellis.matrices.market;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.MatrixFormatException;
import org.trellis.matrices.harwellboeing.HarwellBoeing;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.TestSeed;

/**
 * Damaged input gives a sound matrix or a {@link MatrixFormatException}, the same whichever way it is read, in memory
 * that is in proportion to the text. Some thousand texts by default; the property {@code trellis.test.fuzz.seconds}
 * makes each test run as long as that.
 */
class FuzzTest {
    private static final String SECONDS = "trellis.test.fuzz.seconds";
    private static final int ROUNDS = 2_000;
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
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static List<byte[]> texts(String... texts) {
        return Arrays.stream(texts).map(text -> text.getBytes(StandardCharsets.ISO_8859_1)).toList();
    }

    /** One way of reading. */
    @FunctionalInterface
    private interface Reader {
        CsrMatrix read() throws IOException;
    }

    private void repeat(List<byte[]> originals, Consumer<byte[]> check) {
        long seconds = Long.getLong(SECONDS, 0);
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        List<byte[]> pool = new ArrayList<>(originals);
        for (int round = 0; seconds > 0 ? System.nanoTime() < end : round < ROUNDS; round++) {
            byte[] text = mutator.mutate(pool.get(random.nextInt(pool.size())), pool.get(random.nextInt(pool.size())));
            check.accept(text);
            if (text.length < 2_000 && random.nextInt(20) == 0) {
                // Damage adds up, but never takes over.
                pool.add(text);
                pool.add(originals.get(random.nextInt(originals.size())));
            }
            if (pool.size() > POOL) {
                pool = new ArrayList<>(originals);
            }
        }
    }

    /** What reading gives, in words; anything but a sound matrix or a format exception fails the test. */
    private String outcome(byte[] text, Reader reader) {
        try {
            CsrMatrix matrix = reader.read();
            assertTrue(matrix.firstViolation().isEmpty(), () -> describe(text));
            return matrix + " " + Arrays.toString(matrix.onlySegment().columnIndices())
                    + matrix.onlySegment().values().toDoubleArray().length + checksum(matrix);
        } catch (MatrixFormatException e) {
            return e.line() + ":" + e.column() + ":" + e.getMessage().substring(e.file().length());
        } catch (IOException | RuntimeException | Error e) {
            return fail(describe(text), e);
        }
    }

    private static long checksum(CsrMatrix matrix) {
        long sum = 0;
        for (double value : matrix.onlySegment().values().toDoubleArray()) {
            sum = 31 * sum + Double.doubleToLongBits(value);
        }
        return sum;
    }

    private static String describe(byte[] text) {
        return "seed " + TestSeed.value() + ", text " + HexFormat.of().formatHex(text);
    }

    /** Reads in a thread whose allocations are counted. */
    private String boundedOutcome(byte[] text, Reader reader) {
        long before = threads.getCurrentThreadAllocatedBytes();
        String outcome = outcome(text, reader);
        long used = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(used < FREE_BYTES + BYTES_PER_BYTE * text.length, () -> used + " bytes, " + describe(text));
        return outcome;
    }

    @Test
    void marketFilesGiveOneAnswerWhicheverWayTheyAreRead() {
        Path file = folder.resolve("m");
        repeat(MARKET, text -> {
            String expected = boundedOutcome(text,
                    () -> MatrixMarket.read(new ByteArrayInputStream(text), "m", OPTIONS));
            int blockBytes = 1 + random.nextInt(60);
            ReadOptions parallel = OPTIONS.withThreads(1 + random.nextInt(3));
            assertEquals(expected, outcome(text, () -> {
                Files.write(file, text);
                return new MarketReader(MarketInput.of(file, blockBytes), parallel).readMatrix();
            }), () -> "plain, blocks of " + blockBytes + ", " + describe(text));
            assertEquals(expected, outcome(text, () -> {
                Files.write(file, Texts.gzip(text));
                return new MarketReader(MarketInput.of(file, blockBytes), parallel).readMatrix();
            }), () -> "compressed, blocks of " + blockBytes + ", " + describe(text));
        });
    }

    @Test
    void damagedCompressedFiles() {
        Path file = folder.resolve("m.gz");
        repeat(MARKET.stream().map(Texts::gzip).toList(), bytes -> boundedOutcome(bytes, () -> {
            Files.write(file, bytes);
            return MatrixMarket.read(file, OPTIONS);
        }));
    }

    @Test
    void boeingFiles() {
        Path file = folder.resolve("m.rb");
        repeat(BOEING, text -> boundedOutcome(text, () -> {
            Files.write(file, text);
            return HarwellBoeing.read(file, OPTIONS);
        }));
    }

    @Test
    void vectorsAndHeaders() {
        Path file = folder.resolve("m");
        repeat(MARKET, text -> boundedOutcome(text, () -> {
            Files.write(file, text);
            int rows = MatrixMarket.readHeader(file).rows();
            assertEquals(rows, MatrixMarket.readVector(file, OPTIONS).length());
            return CsrMatrix.identity(1, OPTIONS.precision());
        }));
    }
}
