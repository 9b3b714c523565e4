package org.trellis.distributed.device;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;

/**
 * How long messages of some sizes take on each transport that there is, and so which transport is the fastest for a
 * size: measured, not supposed. All ranks have the same times, those of the slowest of them, and so choose alike.
 */
public final class TransportComparison {
    /** The sizes that are measured by default, in bytes. */
    public static final List<Integer> USUAL_SIZES = List.of(8, 8 << 10, 256 << 10, 4 << 20);

    private static final int ROUNDS = 7;
    private static final int WARM = 3;
    private static final double ROUND_SECONDS = 5e-4;
    private static final int MOST_TRIPS = 64;
    private static final int WORDS = 3;
    /** Sizes are left out whose messages would take longer than this if their time grew with the size. */
    private static final double LONG_SECONDS = 1e-2;
    /** Of smaller messages the time says nothing of larger ones. */
    private static final int SMALL_BYTES = 4096;

    private final List<Time> times;

    /**
     * One measured time.
     *
     * @param transport     the name of the transport
     * @param bytes   the size of a message
     * @param seconds the median of a message
     */
    public record Time(String transport, int bytes, double seconds) {
        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException if the name has blanks or is empty, or a number is not positive
         */
        public Time {
            if (transport.isEmpty() || transport.chars().anyMatch(Character::isWhitespace)) {
                throw new IllegalArgumentException("a transport is called '" + transport + "', expected a word");
            }
            Checks.positive("bytes of a message by transport " + transport, bytes);
            if (!(seconds > 0 && seconds < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "a message of " + bytes + " bytes by transport " + transport + " takes "
                                + seconds + " s, expected a time above 0");
            }
        }
    }

    private TransportComparison(List<Time> times) {
        if (times.isEmpty()) {
            throw new IllegalArgumentException("no transport of messages was measured, expected at least one");
        }
        this.times = times.stream().sorted(Comparator.comparingInt(Time::bytes)).toList();
    }

    /**
     * Measures transports, in turns, with a few messages of each size. Sizes are left out whose messages would take
     * longer than 10 ms on the fastest transport if they took as long for a byte as the size before, of 4 KiB or more.
     * Called by all ranks.
     *
     * @param communicator the ranks, at least two
     * @param firstTag     the first of as many tags as there are transports times sizes, which no other code uses
     * @param transports         the transports, the same on all ranks, at least one; of transports that take as long
     *                           the first is chosen
     * @param sizes        sizes of messages, multiples of 8, by rising size
     * @return the times, the same on all ranks
     * @throws IllegalArgumentException if there is one rank only, no transport, or a size is no positive multiple of 8
     */
    public static TransportComparison measure(Communicator communicator, int firstTag,
            List<? extends MessageTransport> transports,
            List<Integer> sizes) {
        if (communicator.size() < 2) {
            throw new IllegalArgumentException(
                    "transports of messages were to be measured on one rank, expected several");
        }
        List<Time> times = new ArrayList<>();
        int tag = firstTag;
        for (int bytes : sizes) {
            if (bytes <= 0 || bytes % Double.BYTES != 0) {
                throw new IllegalArgumentException("messages of " + bytes + " bytes were to be measured, expected a "
                        + "positive multiple of 8");
            }
            if (!times.isEmpty() && isLong(times, bytes)) {
                break;
            }
            double[] seconds = measure(communicator, tag, transports, bytes);
            tag += transports.size();
            for (int w = 0; w < seconds.length; w++) {
                times.add(new Time(transports.get(w).name(), bytes, seconds[w]));
            }
        }
        return new TransportComparison(times);
    }

    private static boolean isLong(List<Time> before, int bytes) {
        int last = before.getLast().bytes();
        double fastest = before.stream().filter(time -> time.bytes() == last).mapToDouble(Time::seconds).min()
                .orElseThrow();
        return last >= SMALL_BYTES && fastest * bytes / last > LONG_SECONDS;
    }

    @SuppressWarnings("MustBeClosed") // closed at the end
    private static double[] measure(Communicator communicator, int firstTag,
            List<? extends MessageTransport> transports,
            int bytes) {
        List<MessageTransport.Trip> trips = new ArrayList<>();
        try {
            for (int w = 0; w < transports.size(); w++) {
                trips.add(transports.get(w).open(communicator, firstTag + w, bytes));
            }
            double[][] rounds = new double[transports.size()][ROUNDS];
            int[] counts = new int[transports.size()];
            for (int w = 0; w < counts.length; w++) {
                double[] once = {time(communicator, trips.get(w), WARM)};
                communicator.allReduce(Reduction.MAX, once);
                counts[w] = Math.clamp((long) (ROUND_SECONDS / once[0]), 1, MOST_TRIPS);
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (int w = 0; w < counts.length; w++) {
                    rounds[w][round] = time(communicator, trips.get(w), counts[w]);
                }
            }
            double[] medians = new double[counts.length];
            for (int w = 0; w < counts.length; w++) {
                communicator.allReduce(Reduction.MAX, rounds[w]);
                Arrays.sort(rounds[w]);
                medians[w] = rounds[w][ROUNDS / 2];
            }
            return medians;
        } finally {
            trips.forEach(MessageTransport.Trip::close);
        }
    }

    private static double time(Communicator communicator, MessageTransport.Trip trip, int count) {
        communicator.barrier();
        long began = System.nanoTime();
        for (int i = 0; i < count; i++) {
            trip.run();
        }
        trip.finish();
        return Math.max(1, System.nanoTime() - began) * 1e-9 / count;
    }

    /**
     * Takes times that were measured before.
     *
     * @param lines what {@link #lines} returned
     * @return the times
     * @throws IllegalArgumentException if a line is no time; names it
     */
    public static TransportComparison parse(List<String> lines) {
        List<Time> times = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.strip().split("\\s+", -1);
            try {
                if (words.length != WORDS) {
                    throw new NumberFormatException("it has " + words.length + " words");
                }
                times.add(new Time(words[0], Integer.parseInt(words[1]), Double.parseDouble(words[2])));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("a time of messages is '" + line
                        + "', expected a transport, bytes and seconds, as in direct 8192 1.1e-5", e);
            }
        }
        return new TransportComparison(times);
    }

    /**
     * Returns the times as text, to be kept.
     *
     * @return a line for each: transport, bytes, seconds
     */
    public List<String> lines() {
        return times.stream().map(time -> time.transport() + " " + time.bytes() + " " + time.seconds()).toList();
    }

    /**
     * Returns the times.
     *
     * @return by rising size
     */
    public List<Time> times() {
        return times;
    }

    /**
     * Returns the transport that was the fastest for the measured size that is nearest, by ratio.
     *
     * @param bytes the size of a message
     * @return its name
     * @throws IllegalArgumentException if the size is not positive
     */
    public String fastest(int bytes) {
        return nearest(Checks.positive("bytes of a message", bytes));
    }

    private String nearest(int bytes) {
        int nearest = times.stream().map(Time::bytes)
                .min(Comparator.comparingDouble(size -> Math.abs(Math.log((double) size / bytes)))).orElseThrow();
        return times.stream().filter(time -> time.bytes() == nearest).min(Comparator.comparingDouble(Time::seconds))
                .orElseThrow().transport();
    }

    /**
     * Returns what a message costs whatever its size.
     *
     * @param transport the name of a transport
     * @return the time of the smallest one that was measured, in seconds
     * @throws IllegalArgumentException if there is no such transport
     */
    public double latency(String transport) {
        return checked(transport).getFirst().seconds();
    }

    /**
     * Returns how fast large messages travel.
     *
     * @param transport the name of a transport
     * @return bytes a second between the smallest and the largest message; infinite if the larger one took no longer
     * @throws IllegalArgumentException if there is no such transport
     */
    public double bandwidth(String transport) {
        return bandwidth(checked(transport));
    }

    private static double bandwidth(List<Time> own) {
        double more = own.getLast().seconds() - own.getFirst().seconds();
        return more <= 0 ? Double.POSITIVE_INFINITY : (own.getLast().bytes() - own.getFirst().bytes()) / more;
    }

    private List<Time> of(String transport) {
        return times.stream().filter(time -> time.transport().equals(transport)).toList();
    }

    private List<Time> checked(String transport) {
        List<Time> own = of(transport);
        if (own.isEmpty()) {
            throw new IllegalArgumentException(
                    "times of messages by transport '" + transport + "' are asked for, expected one "
                            + "of " + times.stream().map(Time::transport).distinct().toList());
        }
        return own;
    }

    /**
     * Returns a table of the transports.
     *
     * @return a line for each, with latency, bandwidth, and the time of a message of each size
     */
    public String table() {
        StringBuilder text = new StringBuilder();
        for (String transport : times.stream().map(Time::transport).distinct().toList()) {
            text.append(text.isEmpty() ? "" : "\n").append(String.format(Locale.ROOT,
                    "%-10s latency %8.2f us, %8.2f GB/s:", transport, 1e6 * of(transport).getFirst().seconds(),
                    1e-9 * bandwidth(of(transport))));
            of(transport).forEach(time -> text.append(String.format(Locale.ROOT, " %d B %.2f us", time.bytes(),
                    1e6 * time.seconds())));
        }
        return text.toString();
    }

    /**
     * Returns the table, and the choice.
     *
     * @return a line for each transport, and one that says which is taken for which size
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(table()).append("\ntaken:");
        times.stream().map(Time::bytes).distinct()
                .forEach(bytes -> text.append(' ').append(bytes).append(" B ").append(nearest(bytes)));
        return text.toString();
    }
}
