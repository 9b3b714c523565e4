package org.trellis.distributed.communicate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * When a rank was at what: interior, boundary, packing, waiting, reducing, each within an activity that has a name,
 * such as a product with two rings or a loop over edges. Sums are kept from the first activity on; of single phases the
 * last {@value #EVENTS} or so, in memory that is allocated at the beginning. Recording costs two looks at the clock a
 * phase and allocates nothing; a timeline that is {@link #OFF} costs one test.
 *
 * <p>Of one rank, and used by its thread only. On a device, times are those in which the host was at work.
 */
public final class RankTimeline {
    /** Records nothing; may be used by all threads. */
    public static final RankTimeline OFF = new RankTimeline(0);

    static final int PHASES = RankPhase.values().length;
    /** Stands in for a phase where an activity begins, and where an exchange does. */
    static final byte ENTERED = (byte) PHASES;
    static final byte MARKED = (byte) (PHASES + 1);
    private static final int EVENTS = 1 << 16;
    private static final int NONE = -1;

    private final long[] begins;
    private final long[] ends;
    private final byte[] phases;
    private final int[] activities;
    private final List<String> names = new ArrayList<>();
    private String part = "";
    private long[] nanoseconds = new long[0];
    private long[] counts = new long[0];
    private long events;
    private int current = NONE;
    private long first;
    private long last;

    private RankTimeline(int capacity) {
        begins = new long[capacity];
        ends = new long[capacity];
        phases = new byte[capacity];
        activities = new int[capacity];
    }

    /**
     * Makes a timeline that records.
     *
     * @return a new timeline, empty
     */
    public static RankTimeline recording() {
        return new RankTimeline(EVENTS);
    }

    /**
     * Returns whether anything is recorded.
     *
     * @return false of {@link #OFF}
     */
    public boolean isOn() {
        return phases.length > 0;
    }

    /**
     * Names an activity. Allocates; to be called in preparation.
     *
     * @param name a name, the same on all ranks
     * @return its number for {@link #enter}, the same for the same name
     */
    public int activity(String name) {
        if (!isOn()) {
            return 0;
        }
        String whole = part + name;
        int known = names.indexOf(whole);
        if (known >= 0) {
            return known;
        }
        names.add(whole);
        nanoseconds = Arrays.copyOf(nanoseconds, PHASES * names.size());
        counts = Arrays.copyOf(counts, 3 * names.size());
        return names.size() - 1;
    }

    /**
     * Says which part of a program names activities from now on, such as the level of a hierarchy.
     *
     * @param name what their names begin with, the same on all ranks; empty for none
     */
    public void naming(String name) {
        if (isOn()) {
            part = name.isEmpty() ? "" : name + ": ";
        }
    }

    /**
     * Says whether a part of a program names activities.
     *
     * @return true after {@link #naming} with a name; exchanges of activities that are named then begin no iteration
     */
    public boolean isNaming() {
        return !part.isEmpty();
    }

    /**
     * Notes that an activity begins; what follows belongs to it.
     *
     * @param activity its number
     */
    public void enter(int activity) {
        if (isOn()) {
            current = activity;
            counts[3 * activity]++;
            long now = System.nanoTime();
            add(ENTERED, now, now);
        }
    }

    /** Notes that what follows belongs to no activity, and is not recorded. */
    public void leave() {
        if (isOn()) {
            current = NONE;
        }
    }

    /** Notes that an iteration begins: the next exchange, say. */
    public void mark() {
        if (isOn() && current != NONE) {
            long now = System.nanoTime();
            add(MARKED, now, now);
        }
    }

    /**
     * Notes that a phase begins.
     *
     * @return what {@link #end} wants, 0 if nothing is recorded
     */
    public long begin() {
        return isOn() && current != NONE ? System.nanoTime() : 0;
    }

    /**
     * Notes that a phase has ended.
     *
     * @param phase the phase
     * @param began what {@link #begin} returned
     */
    public void end(RankPhase phase, long began) {
        if (began != 0 && current != NONE) {
            long now = System.nanoTime();
            nanoseconds[PHASES * current + phase.number()] += now - began;
            add(phase.number(), began, now);
        }
    }

    /** Notes that a message is on its way. */
    void sent(int bytes) {
        if (isOn() && current != NONE) {
            counts[3 * current + 1]++;
            counts[3 * current + 2] += bytes;
        }
    }

    private void add(byte phase, long began, long ended) {
        int at = (int) (events % phases.length);
        begins[at] = began;
        ends[at] = ended;
        phases[at] = phase;
        activities[at] = current;
        if (events++ == 0) {
            first = began;
        }
        last = ended;
    }

    /** Writes everything for {@link TimelineReport}; times are relative to an origin. */
    byte[] toBytes(long origin) {
        Packet packet = new Packet().put(last - first).put(names.size());
        for (int i = 0; i < names.size(); i++) {
            packet.put(names.get(i).length());
            names.get(i).chars().forEach(packet::put);
            packet.put(nanoseconds, PHASES * i, PHASES).put(counts, 3 * i, 3);
        }
        long kept = Math.min(events, phases.length);
        packet.put((int) kept);
        for (long event = events - kept; event < events; event++) {
            int at = (int) (event % phases.length);
            packet.put((int) phases[at]).put(activities[at]).put(begins[at] - origin).put(ends[at] - origin);
        }
        return packet.toBytes();
    }

    @Override
    public String toString() {
        return isOn() ? "timeline of " + events + " events in " + names : "timeline that records nothing";
    }
}
