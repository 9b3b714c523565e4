package org.trellis.bench.report;

import java.util.Locale;

/**
 * Numbers for people: three significant digits, and units that keep them short. The console and pages show the same.
 */
public final class Numbers {
    private static final String[] TIME_UNITS = {"s", "ms", "µs", "ns"};
    private static final String[] SIZE_UNITS = {"B", "kB", "MB", "GB", "TB"};
    private static final int THOUSAND = 1000;
    private static final double SMALLEST_DECIMAL = 1e-3;
    private static final double LARGEST_DECIMAL = 1e6;

    private Numbers() {}

    /**
     * Writes a whole number.
     *
     * @param value the number
     * @return its digits, in groups of three
     */
    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /**
     * Writes three significant digits or so.
     *
     * @param value the number
     * @return a decimal number, or one with an exponent if it is below 10⁻³ or from 10⁶
     */
    public static String real(double value) {
        double magnitude = Math.abs(value);
        if (magnitude == 0) {
            return "0";
        }
        if (magnitude < SMALLEST_DECIMAL || magnitude >= LARGEST_DECIMAL) {
            return String.format(Locale.ROOT, "%.2e", value);
        }
        int decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /**
     * Writes a time.
     *
     * @param seconds in seconds
     * @return in s, ms, µs or ns
     */
    public static String seconds(double seconds) {
        double value = seconds;
        int unit = 0;
        while (value < 1 && value > 0 && unit < TIME_UNITS.length - 1) {
            value *= THOUSAND;
            unit++;
        }
        return real(value) + ' ' + TIME_UNITS[unit];
    }

    /**
     * Writes a round time, as at a tick.
     *
     * @param seconds in seconds
     * @return the same without zeros that say nothing
     */
    public static String briefSeconds(double seconds) {
        String text = seconds(seconds);
        int unit = text.indexOf(' ');
        String number = text.substring(0, unit);
        if (seconds == 0) {
            return "0";
        }
        return (number.contains(".") && !number.contains("e")
                ? number.replaceAll("0+$", "").replaceAll("\\.$", "")
                : number) + text.substring(unit);
    }

    /**
     * Writes a size of memory.
     *
     * @param bytes in bytes; negative if it is not known
     * @return in B, kB, MB, GB or TB, powers of a thousand; a question mark if it is not known
     */
    public static String bytes(long bytes) {
        if (bytes < THOUSAND) {
            return bytes < 0 ? "?" : bytes + " B";
        }
        double value = bytes;
        int unit = 0;
        while (value >= THOUSAND && unit < SIZE_UNITS.length - 1) {
            value /= THOUSAND;
            unit++;
        }
        return real(value) + ' ' + SIZE_UNITS[unit];
    }

    /**
     * Writes a share.
     *
     * @param share as a number, 1 for all
     * @return in whole per cent
     */
    public static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
