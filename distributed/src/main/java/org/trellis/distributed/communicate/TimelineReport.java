package org.trellis.distributed.communicate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What all ranks were at, from their timelines.
 *
 * @param ranks one for each rank
 */
public record TimelineReport(List<Rank> ranks) {
    private static final int MOST_ITERATIONS = 50;
    private static final int LEAST_RECURRENCES = 3;

    /** Copies the list. */
    public TimelineReport {
        ranks = List.copyOf(ranks);
    }

    /**
     * A rank.
     *
     * @param seconds    from its first phase to its last
     * @param activities what it did
     * @param events     its last phases, in the order in which they ended
     */
    public record Rank(double seconds, List<Activity> activities, List<Event> events) {
        /** Copies the lists. */
        public Rank {
            activities = List.copyOf(activities);
            events = List.copyOf(events);
        }

        /**
         * Sums a phase over all activities.
         *
         * @param phase the phase
         * @return seconds
         */
        public double seconds(RankPhase phase) {
            return activities.stream().mapToDouble(activity -> activity.seconds(phase)).sum();
        }
    }

    /**
     * An activity of a rank.
     *
     * @param name     its name
     * @param times    seconds of each {@link RankPhase}, in their order
     * @param runs     how often it began
     * @param messages messages that were sent within it
     * @param bytes    bytes in them
     */
    public record Activity(String name, List<Double> times, long runs, long messages, long bytes) {
        /** Copies the list. */
        public Activity {
            times = List.copyOf(times);
        }

        /**
         * Returns the time of a phase.
         *
         * @param phase the phase
         * @return seconds
         */
        public double seconds(RankPhase phase) {
            return times.get(phase.number());
        }
    }

    /**
     * A phase of a rank.
     *
     * @param activity the number of its activity
     * @param phase    the phase, or null where an activity or an iteration begins
     * @param mark     whether an iteration begins
     * @param begin    seconds since a time that is the same for all ranks, as far as their clocks agree
     * @param end      the same of its end
     */
    public record Event(int activity, RankPhase phase, boolean mark, double begin, double end) {}

    /**
     * An iteration, to be examined.
     *
     * @param events for each rank its phases in that time, which may be those of the iterations before and after; times
     *               since the iteration began on the first rank to begin it
     * @param length until it ended on the last
     */
    public record Iteration(List<List<Event>> events, double length) {
        /** Copies the lists. */
        public Iteration {
            events = events.stream().map(List::copyOf).toList();
        }
    }

    /**
     * Brings the timelines of all ranks together. Collective. Ranks of one machine share its clock; those of several
     * are compared from a barrier on, which they leave at about the same time.
     *
     * @param plain    the ranks, not recorded
     * @param timeline of this rank
     * @param origin   when this rank left that barrier, by {@link System#nanoTime}
     * @return the report on rank 0, one without ranks on others
     */
    public static TimelineReport gather(Communicator plain, RankTimeline timeline, long origin) {
        List<Rank> ranks = new ArrayList<>();
        for (byte[] message : plain.gather(0, timeline.toBytes(origin))) {
            ranks.add(rank(Packet.of(message)));
        }
        return new TimelineReport(plain.rank() == 0 ? ranks : List.of());
    }

    private static Rank rank(Packet packet) {
        double seconds = packet.getLong() * 1e-9;
        List<Activity> activities = new ArrayList<>();
        for (int count = packet.getInt(); count > 0; count--) {
            StringBuilder name = new StringBuilder();
            for (int length = packet.getInt(); length > 0; length--) {
                name.append((char) packet.getInt());
            }
            long[] times = new long[RankTimeline.PHASES];
            long[] counts = new long[3];
            packet.get(times, 0, times.length);
            packet.get(counts, 0, counts.length);
            activities.add(new Activity(name.toString(), Arrays.stream(times).mapToObj(n -> n * 1e-9).toList(),
                    counts[0], counts[1], counts[2]));
        }
        List<Event> events = new ArrayList<>();
        for (int count = packet.getInt(); count > 0; count--) {
            int phase = packet.getInt();
            events.add(new Event(packet.getInt(),
                    RankPhase.of(phase), phase == RankTimeline.MARKED,
                    packet.getLong() * 1e-9, packet.getLong() * 1e-9));
        }
        return new Rank(seconds, activities, events);
    }

    /**
     * Returns how evenly computing is divided.
     *
     * @return the mean over the ranks of interior and boundary over the most of a rank; 1 if all have the same
     */
    public double balance() {
        double[] work = ranks.stream()
                .mapToDouble(rank -> rank.seconds(RankPhase.INTERIOR) + rank.seconds(RankPhase.BOUNDARY)).toArray();
        double most = Arrays.stream(work).max().orElse(0);
        return most == 0 ? 1 : Arrays.stream(work).sum() / work.length / most;
    }

    /**
     * Picks an iteration to be examined: of the last ones that all ranks still know, that of median length on rank 0.
     * An iteration goes from one mark to the next; where there are none, from one beginning of an activity to the next:
     * of the activity that began first of those that came back.
     *
     * @return an iteration, without events if there was none
     */
    public Iteration iteration() {
        List<int[]> starts = ranks.stream().map(rank -> starts(rank.events)).toList();
        int known = Math.min(MOST_ITERATIONS, starts.stream().mapToInt(found -> found.length - 1).min().orElse(0));
        if (known < 1) {
            return new Iteration(ranks.stream().map(rank -> List.<Event>of()).toList(), 0);
        }
        Integer[] order = new Integer[known];
        Arrays.setAll(order, i -> i + 1);
        int[] first = starts.getFirst();
        List<Event> events = ranks.getFirst().events;
        Arrays.sort(order, (a, b) -> Double.compare(length(events, first, a), length(events, first, b)));
        int chosen = order[known / 2];
        double begin = Double.POSITIVE_INFINITY;
        double end = 0;
        for (int rank = 0; rank < ranks.size(); rank++) {
            int[] own = starts.get(rank);
            begin = Math.min(begin, ranks.get(rank).events.get(own[own.length - 1 - chosen]).begin);
            end = Math.max(end, ranks.get(rank).events.get(own[own.length - chosen]).begin);
        }
        double from = begin;
        double to = end;
        return new Iteration(ranks.stream().map(rank -> within(rank.events, from, to)).toList(), end - begin);
    }

    /** The phases of some time, cut off at its ends. */
    private static List<Event> within(List<Event> events, double from, double to) {
        return events.stream().filter(event -> event.phase != null && event.end > from && event.begin < to)
                .map(event -> new Event(event.activity, event.phase, false, Math.max(0, event.begin - from),
                        Math.min(event.end, to) - from))
                .toList();
    }

    /** The length of the iteration that is so many before the end. */
    private static double length(List<Event> events, int[] starts, int fromEnd) {
        return events.get(starts[starts.length - fromEnd]).begin
                - events.get(starts[starts.length - 1 - fromEnd]).begin;
    }

    /** Where iterations begin among events. */
    private static int[] starts(List<Event> events) {
        List<Integer> marks = new ArrayList<>();
        List<List<Integer>> entries = new ArrayList<>();
        List<Integer> order = new ArrayList<>();
        int before = -1;
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            if (event.mark) {
                marks.add(i);
            } else if (event.phase == null && event.activity != before) {
                while (entries.size() <= event.activity) {
                    entries.add(new ArrayList<>());
                }
                if (entries.get(event.activity).isEmpty()) {
                    order.add(event.activity);
                }
                entries.get(event.activity).add(i);
                before = event.activity;
            }
        }
        if (marks.isEmpty()) {
            marks = order.stream().map(entries::get).filter(list -> list.size() >= LEAST_RECURRENCES).findFirst()
                    .orElse(List.of());
        }
        return marks.stream().mapToInt(Integer::intValue).toArray();
    }
}
