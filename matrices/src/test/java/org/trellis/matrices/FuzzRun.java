package org.trellis.matrices;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.trellis.common.MatrixFormatException;
import org.trellis.testing.TestSeed;

/**
 * How long random tests of readers run, and the rule for every read: a result, or a {@link MatrixFormatException} with
 * a message that is short and printable, in time and memory that are in proportion to the text.
 */
public final class FuzzRun {
    /** Minutes that all fuzz tests of the module take together; 0 or unset for a fixed number of rounds. */
    public static final String MINUTES = "trellis.fuzz.minutes";

    /** Fuzz tests of this module, which share the minutes. */
    private static final int TESTS = 10;
    private static final long MOST_NANOSECONDS = 2_000_000_000L;
    private static final int LONGEST_MESSAGE = 560;
    private static final int SHOWN_BYTES = 2_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private FuzzRun() {}

    /** One way of reading. */
    @FunctionalInterface
    public interface Reader {
        /**
         * Reads.
         *
         * @return the result
         * @throws IOException if the file cannot be read, which is a failure of the test
         */
        Object read() throws IOException;
    }

    /**
     * What reading gave.
     *
     * @param result  the result, null if it was refused
     * @param failure why it was refused, null if it was not
     */
    public record Outcome(Object result, MatrixFormatException failure) {}

    /**
     * Runs a random test for some rounds, or for its share of the minutes that were asked for.
     *
     * @param rounds rounds if no time is given
     * @param round  one round
     */
    public static void repeat(int rounds, Runnable round) {
        double minutes = Double.parseDouble(System.getProperty(MINUTES, "0"));
        long end = System.nanoTime() + (long) (minutes / TESTS * 60e9);
        for (int i = 0; minutes > 0 ? System.nanoTime() < end : i < rounds; i++) {
            round.run();
        }
    }

    /**
     * Reads and checks the rule.
     *
     * @param input     the input, for the report of a failure
     * @param mostBytes bytes that reading may allocate
     * @param reader    reads it, on this thread
     * @return what came of it
     */
    public static Outcome check(byte[] input, long mostBytes, Reader reader) {
        long memory = THREADS.getCurrentThreadAllocatedBytes();
        long time = THREADS.getCurrentThreadCpuTime();
        Outcome outcome = outcome(input, reader);
        long used = THREADS.getCurrentThreadAllocatedBytes() - memory;
        long taken = THREADS.getCurrentThreadCpuTime() - time;
        assertTrue(used <= mostBytes, () -> used + " bytes of memory, allowed " + mostBytes + ", " + describe(input));
        assertTrue(taken <= MOST_NANOSECONDS, () -> taken * 1e-9 + " s, " + describe(input));
        return outcome;
    }

    private static Outcome outcome(byte[] input, Reader reader) {
        try {
            return new Outcome(reader.read(), null);
        } catch (MatrixFormatException e) {
            String message = e.getMessage().substring(Math.min(e.getMessage().length(), e.file().length()));
            assertTrue(message.contains("expected") && message.length() <= LONGEST_MESSAGE
                    && message.codePoints().noneMatch(FuzzRun::isUnprintable),
                    () -> "message " + message + ", " + describe(input));
            return new Outcome(null, e);
        } catch (IOException | RuntimeException | Error e) {
            return fail(describe(input), e);
        }
    }

    private static boolean isUnprintable(int character) {
        return Character.isISOControl(character) || Character.getType(character) == Character.FORMAT
                || Character.getType(character) == Character.SURROGATE;
    }

    /**
     * Says how to repeat a failure; a long input is put into a file.
     *
     * @param input the input
     * @return the seed and the input, or where it is
     */
    public static String describe(byte[] input) {
        if (input.length <= SHOWN_BYTES) {
            return "seed " + TestSeed.value() + ", input " + HexFormat.of().formatHex(input);
        }
        try {
            Path file = Files.createTempFile("trellis-fuzz", ".bin");
            return "seed " + TestSeed.value() + ", input of " + input.length + " bytes in " + Files.write(file, input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
