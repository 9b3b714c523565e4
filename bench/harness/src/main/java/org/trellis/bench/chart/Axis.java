package org.trellis.bench.chart;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;

/**
 * An axis: numbers, evenly or by their logarithms, or names.
 *
 * @param title   what it shows, with its unit
 * @param scale   its range
 * @param whole   whether only whole numbers have ticks
 * @param ticks   the numbers that have ticks; empty if round ones are chosen
 * @param label   how a number is written at its tick
 * @param names   the names in place of the numbers from 0 on; empty if it is not one of names
 * @param reverse whether it grows downwards or leftwards
 */
public record Axis(String title, Scale scale, boolean whole, List<Double> ticks, DoubleFunction<String> label,
        List<String> names, boolean reverse) {
    private static final double HALF = 0.5;

    /** Copies the lists. */
    public Axis {
        ticks = List.copyOf(ticks);
        names = List.copyOf(names);
    }

    /**
     * Makes an axis of numbers whose ticks are round and written briefly.
     *
     * @param title what it shows
     * @param scale its range
     * @return the axis
     */
    public static Axis of(String title, Scale scale) {
        return new Axis(title, scale, false, List.of(), scale::label, List.of(), false);
    }

    /**
     * Makes an axis of names for rows, the first of which is at the top.
     *
     * @param title what they are; may be empty
     * @param names the names
     * @return the axis, on which name i is at i
     */
    public static Axis rows(String title, List<String> names) {
        return named(title, names, true);
    }

    /**
     * Makes an axis of names, from left to right or upwards.
     *
     * @param title what they are; may be empty
     * @param names the names
     * @return the axis, on which name i is at i
     */
    public static Axis names(String title, List<String> names) {
        return named(title, names, false);
    }

    private static Axis named(String title, List<String> names, boolean reverse) {
        return new Axis(title, Scale.linear(-HALF, Math.max(1, names.size()) - HALF), true,
                IntStream.range(0, names.size()).asDoubleStream().boxed().toList(),
                number -> number < 0 || number >= names.size() ? "" : names.get((int) Math.round(number)), names,
                reverse);
    }

    /**
     * Writes ticks in another form.
     *
     * @param writer writes the number of a tick
     * @return the same otherwise
     */
    public Axis labelled(DoubleFunction<String> writer) {
        return new Axis(title, scale, whole, ticks, writer, names, reverse);
    }

    /**
     * Leaves ticks to whole numbers.
     *
     * @return the same otherwise
     */
    public Axis counting() {
        return new Axis(title, scale, true, ticks, label, names, reverse);
    }

    /**
     * Says which numbers have ticks; those that have no room have none.
     *
     * @param numbers the numbers
     * @return the same otherwise
     */
    public Axis at(List<Double> numbers) {
        return new Axis(title, scale, whole, numbers, label, names, reverse);
    }

    /**
     * Returns where it begins.
     *
     * @return the least number
     */
    public double low() {
        return scale.low();
    }

    /**
     * Returns where it ends.
     *
     * @return the largest number
     */
    public double high() {
        return scale.high();
    }

    boolean isNamed() {
        return !names.isEmpty();
    }

    /** The numbers that have ticks if about so many are requested. */
    List<Double> ticks(int wanted) {
        List<Double> all = ticks.isEmpty() ? scale.ticks(wanted) : ticks;
        return whole ? all.stream().filter(tick -> tick == Math.rint(tick)).toList() : all;
    }
}
