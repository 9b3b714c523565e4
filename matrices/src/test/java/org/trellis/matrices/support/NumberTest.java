package org.trellis.matrices.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/** Every number that the scanner reads has the bits that {@link Double#parseDouble} gives. */
class NumberTest {
    private static final int ROUNDS = 400_000;

    private final TextScanner scanner = new TextScanner();

    private TextScanner at(String text) {
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.ISO_8859_1);
        byte[] padded = new byte[bytes.length + TextScanner.PADDING];
        System.arraycopy(bytes, 0, padded, 0, bytes.length);
        scanner.attach(padded, 0);
        return scanner;
    }

    private void check(String text) {
        double actual = at(text).real();
        double expected = Double.parseDouble(text);
        if (Double.doubleToLongBits(actual) != Double.doubleToLongBits(expected)) {
            assertEquals(Double.toHexString(expected), Double.toHexString(actual), text);
        }
        assertEquals(text.length(), scanner.position(), text);
    }

    private void repeat(Supplier<String> texts) {
        for (int i = 0; i < ROUNDS; i++) {
            check(texts.get());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-0", "+0", "1", "-1", "+1", "0.0", ".5", "5.", "-.5", "00012", "1e0", "1E5", "1e+5",
        "1e-5", "0.1", "0.3", "123456789", "12345678", "1234567", "99999999", "9007199254740993", "9007199254740992.5",
        "1e22", "1e23", "8.5e22", "1.7976931348623157e308", "1.7976931348623158e308", "4.9e-324", "2.5e-324",
        "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072014e-308", "2.2250738585072011e-308",
        "2.2250738585072012e-308", "18446744073709551615", "18446744073709551616", "9223372036854775807",
        "99999999999999999999", "0.000000000000000000000000001", "1e-400", "0e999999999", "1e-999999999999",
        "100000000000000000000000000000000000000000000000000", "6.02214076e23", "3.14159265358979323846264338327950288",
        "0.1000000000000000055511151231257827021181583404541015625",
        "0.10000000000000000555111512312578270211815834045410156250000000000000000000000000000000000001",
        "179769313486231580793728971405301199e273", "9007199254740993e0", "9007199254740995", "1e309", "-1e999"})
    void knownNumbers(String text) {
        check(text);
    }

    @Test
    void halfwayCasesBetweenDoubles() {
        SplittableRandom random = TestSeed.random("halfway");
        for (int i = 0; i < TestLength.cases(6_000, 20_000); i++) {
            double low = Double.longBitsToDouble(random.nextLong(0x7FE0_0000_0000_0000L));
            BigDecimal middle = new BigDecimal(low).add(new BigDecimal(Math.nextUp(low))).divide(BigDecimal.valueOf(2));
            check(middle.toString());
            check(middle.add(new BigDecimal(Math.ulp(low)).movePointLeft(25)).toString());
            check(middle.subtract(new BigDecimal(Math.ulp(low)).movePointLeft(25)).toString());
        }
    }

    @Test
    void shortestFormsOfRandomBits() {
        SplittableRandom random = TestSeed.random("bits");
        repeat(() -> Double.toString(finite(random)));
    }

    @Test
    void shortestFormsOfOrdinaryNumbers() {
        SplittableRandom random = TestSeed.random("ordinary");
        repeat(() -> Double.toString(random.nextDouble(-10, 10)));
    }

    @Test
    void significandsAndExponentsOfAnyLength() {
        SplittableRandom random = TestSeed.random("any length");
        repeat(() -> digits(random, 0, 12) + digits(random, 1, 1) + "." + digits(random, 0, 24) + "e"
                + random.nextInt(-345, 312));
    }

    @Test
    void roundedForms() {
        SplittableRandom random = TestSeed.random("rounded");
        for (int i = 0; i < ROUNDS / 10; i++) {
            check(String.format(Locale.ROOT, "%." + random.nextInt(25) + "e", finite(random)));
        }
    }

    @Test
    void smallNumbersWithManyZeros() {
        SplittableRandom random = TestSeed.random("zeros");
        repeat(() -> "0." + "0".repeat(random.nextInt(30)) + digits(random, 1, 25));
    }

    @Test
    void integers() {
        SplittableRandom random = TestSeed.random("integers");
        for (int i = 0; i < ROUNDS; i++) {
            String text = (random.nextBoolean() ? "-" : "") + digits(random, 1, 28);
            assertEquals(Double.parseDouble(text), at(text).integer(), text);
        }
    }

    @Test
    void indices() {
        SplittableRandom random = TestSeed.random("indices");
        for (int i = 0; i < ROUNDS; i++) {
            int index = random.nextInt(Integer.MAX_VALUE) >>> random.nextInt(31);
            String text = "0".repeat(random.nextInt(3) * random.nextInt(9)) + (index + 1L);
            assertEquals(index, at(text).index(Integer.MAX_VALUE, "an index"), text);
            assertEquals(text.length(), scanner.position(), text);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "+1", "8", "x", "", "99999999", "100000000", "4294967297",
        "18446744073709551617",
        "100000000000000000000000000000000001", "00000000000", ".5"})
    void indicesOutOfRange(String text) {
        assertThrows(SyntaxFailure.class, () -> at(text).index(7, "an index"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "+", ".", "-.", "e5", ".e5", "x", "--1", "infin", "nanx", "1e", "1e+", "1e-x",
        "+-2",
        "d5", "i", "0x", "NaNaN"})
    void noNumbers(String text) {
        assertThrows(SyntaxFailure.class, () -> {
            at(text).real();
            scanner.endOfLine("the end");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1e5", "1.", "inf", "nan", "", "-", "1x", ".5"})
    void noIntegers(String text) {
        assertThrows(SyntaxFailure.class, () -> at(text).integer());
    }

    @Test
    void words() {
        assertEquals(Double.POSITIVE_INFINITY, at("inf").real());
        assertEquals(Double.POSITIVE_INFINITY, at("+Infinity").real());
        assertEquals(Double.NEGATIVE_INFINITY, at("-INF").real());
        assertEquals(Double.NaN, at("nan").real());
        assertEquals(Double.doubleToLongBits(Double.NaN), Double.doubleToRawLongBits(at("-NaN").real()));
    }

    @Test
    void fortranExponents() {
        assertEquals(1.5e-7, at("1.5D-7").real());
        assertEquals(-2e10, at("-2d10").real());
        assertEquals(Double.parseDouble("1.23456789012345678901e5"), at("1.23456789012345678901D+05").real());
    }

    private static double finite(SplittableRandom random) {
        double value = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(value) ? value : finite(random);
    }

    private static String digits(SplittableRandom random, int least, int most) {
        int count = random.nextInt(least, most + 1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append((char) ('0' + random.nextInt(10)));
        }
        return text.toString();
    }
}
