package org.trellis.bench.prediction;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network of two levels, in the terms of LogGP (A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman, LogGP:
 * incorporating long messages into the LogP model, SPAA 1995) with a limit on what a node puts into the network.
 * Ranks with consecutive numbers share a node.
 *
 * @param latency       seconds that a message of no bytes takes between nodes
 * @param bandwidth     bytes a second of one message between nodes
 * @param injection     bytes a second of all messages that leave a node, and of all that come; may be infinite
 * @param overhead      seconds that a processor spends on each message that it sends, and on each that it receives
 * @param ranksOfNode   ranks of a node, at least 1
 * @param nodeLatency   seconds that a message of no bytes takes within a node
 * @param nodeBandwidth bytes a second of one message within a node
 */
public record Network(double latency, double bandwidth, double injection, double overhead, int ranksOfNode,
        double nodeLatency, double nodeBandwidth) {
    /** What a message costs a processor by default: half a microsecond. */
    public static final double DEFAULT_OVERHEAD = 5e-7;

    private static final int IGNORE = Pattern.CASE_INSENSITIVE;
    private static final Pattern NODE = Pattern.compile("(?:^|,)node=([1-9]\\d{0,6})(?::|$)", IGNORE);
    private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?(?:e[-+]?\\d+)?)(ns|us|ms|s)", IGNORE);
    private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?(?:e[-+]?\\d+)?)([kmgt]?)b/s", IGNORE);
    private static final String LATENCY = "latency";
    private static final String BANDWIDTH = "bandwidth";
    private static final String INJECTION = "injection";
    private static final String OVERHEAD = "overhead";

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a time is negative, a bandwidth not positive or a node empty
     */
    public Network {
        requireTime(LATENCY, latency);
        requireTime(OVERHEAD, overhead);
        requireTime("latency within a node", nodeLatency);
        requireRate(BANDWIDTH, bandwidth);
        requireRate(INJECTION, injection);
        requireRate("bandwidth within a node", nodeBandwidth);
        if (ranksOfNode < 1) {
            throw new IllegalArgumentException("ranks of a node is " + ranksOfNode + ", expected at least 1");
        }
    }

    private static void requireTime(String name, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + " is " + value + " s, expected at least 0");
        }
    }

    private static void requireRate(String name, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(name + " is " + value + " bytes a second, expected more than 0");
        }
    }

    /**
     * Makes a network without nodes, each rank with a link of its own.
     *
     * @param latency   seconds that a message of no bytes takes
     * @param bandwidth bytes a second of one message
     * @param overhead  seconds that a processor spends on each message at either end
     * @return a network whose messages do not get into each other's way
     */
    public static Network flat(double latency, double bandwidth, double overhead) {
        return new Network(latency, bandwidth, Double.POSITIVE_INFINITY, overhead, 1, latency, bandwidth);
    }

    /**
     * Reads a network from text, such as {@code latency=2us,bandwidth=25GB/s} or
     * {@code latency=2us,bandwidth=25GB/s,injection=50GB/s,overhead=300ns,node=8:latency=400ns,bandwidth=10GB/s}.
     * Without {@code injection} the messages of a node share one bandwidth; {@code injection=none} has no limit.
     * Without {@code overhead} it is {@value #DEFAULT_OVERHEAD} s. Within a node what is not said is as between nodes.
     *
     * @param text the description
     * @return the network
     * @throws IllegalArgumentException if it is none; says what was expected
     */
    public static Network parse(String text) {
        Matcher node = NODE.matcher(text);
        boolean hasNodes = node.find();
        Map<String, String> outer = entries(hasNodes ? text.substring(0, node.start()) : text,
                LATENCY, BANDWIDTH, INJECTION, OVERHEAD);
        Map<String, String> inner = entries(hasNodes ? text.substring(node.end()) : "", LATENCY, BANDWIDTH);
        double latency = time(LATENCY, required(outer, LATENCY, text));
        double bandwidth = rate(BANDWIDTH, required(outer, BANDWIDTH, text));
        String limit = outer.get(INJECTION);
        double injection = limit == null
                ? bandwidth
                : limit.equals("none") ? Double.POSITIVE_INFINITY : rate(INJECTION, limit);
        double overhead =
                outer.containsKey(OVERHEAD) ? time(OVERHEAD, outer.get(OVERHEAD)) : DEFAULT_OVERHEAD;
        return new Network(latency, bandwidth, injection, overhead,
                hasNodes ? Integer.parseInt(node.group(1)) : 1,
                inner.containsKey(LATENCY) ? time(LATENCY, inner.get(LATENCY)) : latency,
                inner.containsKey(BANDWIDTH) ? rate(BANDWIDTH, inner.get(BANDWIDTH)) : bandwidth);
    }

    private static Map<String, String> entries(String text, String... known) {
        Map<String, String> entries = new TreeMap<>();
        for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            String[] pair = word.split("=", 2);
            if (pair.length < 2 || !Arrays.asList(known).contains(pair[0])) {
                throw new IllegalArgumentException("'" + word + "' in a network, expected one of "
                        + String.join("=, ", known) + "= or node=RANKS: before what holds within a node");
            }
            if (entries.put(pair[0], pair[1]) != null) {
                throw new IllegalArgumentException(pair[0] + " is said twice in a network, expected once");
            }
        }
        return entries;
    }

    private static String required(Map<String, String> entries, String name, String text) {
        if (!entries.containsKey(name)) {
            throw new IllegalArgumentException("network '" + text + "' has no " + name
                    + ", expected such as latency=2us,bandwidth=25GB/s");
        }
        return entries.get(name);
    }

    private static double time(String name, String value) {
        Matcher matcher = TIME.matcher(value);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(name + " is '" + value
                    + "', expected a number with ns, us, ms or s, such as 2us");
        }
        double unit = switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
            case "ns" -> 1e9;
            case "us" -> 1e6;
            case "ms" -> 1e3;
            default -> 1;
        };
        return Double.parseDouble(matcher.group(1)) / unit;
    }

    private static double rate(String name, String value) {
        Matcher matcher = RATE.matcher(value);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(name + " is '" + value
                    + "', expected a number with B/s, kB/s, MB/s, GB/s or TB/s, such as 25GB/s");
        }
        double unit = switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
            case "k" -> 1e3;
            case "m" -> 1e6;
            case "g" -> 1e9;
            case "t" -> 1e12;
            default -> 1;
        };
        return Double.parseDouble(matcher.group(1)) * unit;
    }

    /**
     * Returns how long a message travels if it is alone.
     *
     * @param from  the rank that sends it
     * @param to    the rank that receives it
     * @param bytes its size
     * @return seconds, overheads left out
     */
    public double travel(int from, int to, double bytes) {
        return sameNode(from, to) ? nodeLatency + bytes / nodeBandwidth : latency + bytes / bandwidth;
    }

    /**
     * Returns whether two ranks are of one node.
     *
     * @param one   a rank
     * @param other another
     * @return whether messages between them stay within the node
     */
    public boolean sameNode(int one, int other) {
        return one / ranksOfNode == other / ranksOfNode;
    }

    /**
     * Returns how long an all-reduce of a few numbers takes: partners exchange along a tree, first within nodes, then
     * between them (recursive doubling; R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication
     * operations in MPICH, 2005, section 4.5).
     *
     * @param ranks number of ranks
     * @return seconds: ⌈log₂⌉ of ranks of a node and of nodes, each stage a latency and the overheads of one message
     */
    public double allReduce(int ranks) {
        int within = Math.min(ranks, ranksOfNode);
        int nodes = Math.ceilDiv(ranks, ranksOfNode);
        return stages(within) * (nodeLatency + 2 * overhead) + stages(nodes) * (latency + 2 * overhead);
    }

    private static int stages(int count) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
    }
}
