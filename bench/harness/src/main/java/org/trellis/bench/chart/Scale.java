package org.trellis.bench.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Maps the values of an axis to 0 to 1 and chooses its ticks: 1, 2 and 5 times powers of ten.
 *
 * @param low         value at 0
 * @param high        value at 1
 * @param logarithmic whether equal distances are equal ratios
 */
public record Scale(double low, double high, boolean logarithmic) {
    private static final int FEW_DECADES = 2;
    private static final double[] STEPS = {1, 2, 5, 10};

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if it is empty, or has no logarithms though it needs them
     */
    public Scale {
        if (!(low < high) || (logarithmic && !(low > 0))) {
            throw new IllegalArgumentException(
                    "scale from " + low + " to " + high + (logarithmic ? ", logarithmic" : "")
                            + ", expected a range" + (logarithmic ? " of positive numbers" : ""));
        }
    }

    /**
     * Makes a scale on which equal distances are equal differences.
     *
     * @param low  value at 0
     * @param high value at 1; one more than {@code low} if it is not larger
     * @return the scale
     */
    public static Scale linear(double low, double high) {
        return new Scale(low, high > low ? high : low + 1, false);
    }

    /**
     * Makes a scale on which equal distances are equal ratios.
     *
     * @param low  value at 0, positive
     * @param high value at 1; ten times {@code low} if it is not larger
     * @return the scale
     */
    public static Scale logarithmic(double low, double high) {
        return new Scale(low, high > low ? high : low * 10, true);
    }

    /**
     * Returns where a value is.
     *
     * @param value the value
     * @return 0 to 1 within the range
     */
    public double position(double value) {
        return logarithmic
                ? Math.log(value / low) / Math.log(high / low)
                : (value - low) / (high - low);
    }

    /**
     * Returns round values within the range.
     *
     * @param wanted about how many
     * @return them, in increasing order
     */
    public List<Double> ticks(int wanted) {
        return logarithmic ? logarithmicTicks(wanted) : linearTicks(wanted);
    }

    private List<Double> linearTicks(int wanted) {
        double step = niceStep((high - low) / wanted);
        List<Double> ticks = new ArrayList<>();
        for (double k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
            ticks.add(k * step + 0.0); // no negative zero
        }
        return ticks;
    }

    private static double niceStep(double rough) {
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        for (double factor : STEPS) {
            if (factor * power >= rough * (1 - 1e-9)) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private List<Double> logarithmicTicks(int wanted) {
        int from = (int) Math.ceil(Math.log10(low) - 1e-9);
        int to = (int) Math.floor(Math.log10(high) + 1e-9);
        List<Double> ticks = new ArrayList<>();
        if (to - from < FEW_DECADES) {
            for (int exponent = from - 1; exponent <= to; exponent++) {
                for (double factor : new double[]{1, 2, 5}) {
                    double tick = factor * Math.pow(10, exponent);
                    if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) {
                        ticks.add(tick);
                    }
                }
            }
            return ticks;
        }
        int step = Math.max(1, (int) Math.ceil((to - from) / (double) wanted));
        for (int exponent = from; exponent <= to; exponent += step) {
            ticks.add(Math.pow(10, exponent));
        }
        return ticks;
    }

    /**
     * Writes a tick briefly.
     *
     * @param tick its value
     * @return for example 5000, 20k, 1.5M; powers of ten on a logarithmic scale
     */
    public String label(double tick) {
        double magnitude = Math.abs(tick);
        if (magnitude == 0) {
            return "0";
        }
        double exponent = Math.log10(magnitude);
        boolean power = Math.abs(exponent - Math.rint(exponent)) < 1e-9;
        if (power && (magnitude >= 1e10 || magnitude < 1e-3 || (logarithmic && magnitude >= 1e4))) {
            return "1e" + Math.round(exponent);
        }
        if (magnitude >= 1e10 || magnitude < 1e-3) {
            return String.format(Locale.ROOT, "%.0e", tick);
        }
        if (magnitude >= 1e6) {
            return plain(tick / 1e6) + "M";
        }
        return magnitude >= 1e4 ? plain(tick / 1e3) + "k" : plain(tick);
    }

    private static String plain(double value) {
        String text = String.format(Locale.ROOT, "%.3f", value);
        return text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }
}
