package org.trellis.distributed.powers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.exchange.Exchange;
import org.trellis.distributed.exchange.ExchangePattern;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.LocalRows;
import org.trellis.distributed.halo.ReceiveList;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.halo.SendList;
import org.trellis.distributed.partitioned.RankColouring;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.ScalarType;
import org.trellis.solve.smooth.SweepDirection;

/**
 * Gauss–Seidel and successive over-relaxation colour by colour over ranks (Y. Saad, Iterative Methods for Sparse Linear
 * Systems, section 12.4; rings: I. Z. Reguly, PhD thesis, 2014, section 4.5.3). The colours are those of the whole
 * matrix on one rank ({@link RankColouring}); rows of one colour are no neighbours, so their order is of no account.
 *
 * <p>A stage relaxes the rows of one colour, in place, and uses up one ring: with the elements within ring v up to
 * date, the rows of the colour within ring v − 1 are relaxed, those of others redundantly. When no ring is left the
 * next stage exchanges, while its interior rows are relaxed. So s stages take ⌈s / k⌉ exchanges with k rings: with one
 * ring an exchange for each colour, with as many rings as colours one for a sweep in one direction. Elements travel
 * only where they are out of date: of colours relaxed since the last exchange, in rings that were not relaxed
 * redundantly; with one ring, those of the last colour. The first exchange of each call of {@link #smooth} brings all,
 * since the caller may have changed the iterate, and the right-hand side if its rings are missing.
 *
 * <p>A sweep in one direction has as many stages as there are colours; a symmetric one has twice as many, or, for
 * ω = 1, one less, as its second half begins with a colour whose rows would not change.
 *
 * <p>Results on owned rows have the same bits for any number of rings, ranks and any division: those of the reference
 * backend's {@code gauss-seidel} or {@code sor} with order {@code coloured}; on devices, where several threads add up a
 * row, others, and the same for any number of devices. Ranks on hosts and on devices may be mixed. The colours of an
 * unsymmetric matrix are those of both triangles, rings follow the rows alone. All methods but the getters are
 * collective; sweeps allocate nothing once each of their exchanges has been made.
 */
public final class ColouredGaussSeidel {
    /** Beyond the tags of exchanges, before those of transposed products. */
    private static final int FIRST_TAG = 10_000;
    private static final int MOST_EXCHANGES = 20_000;

    private final HaloPlan plan;
    private final double omega;
    /** The colours of all local elements. */
    private final int[] colours;
    private final int count;
    /** The local rows colour by colour, in each in their order, so that those within a ring are first. */
    private final int[] rows;
    /** For each colour, where its rows start, those behind the interior ones, and where each ring ends, owned first. */
    private final int[][] cuts;
    private final ColourKernels kernels;
    private final RingActivity activity;
    private final RingVector b;
    private final RingVector x;
    /** By rings; with and without the right-hand side. */
    private final Exchange[][] whole;
    /** By rings, direction and place of the stage in its sweep. */
    private final Map<SweepDirection, Exchange[][]> partial = new EnumMap<>(SweepDirection.class);
    /** The colours of the stages of a sweep, by direction. */
    private final Map<SweepDirection, int[]> orders = new EnumMap<>(SweepDirection.class);
    private final List<Exchange> opened = new ArrayList<>();

    /** Says which elements travel. Both ends of a message must find the same. */
    private interface Choice {
        /** Returns whether elements of some colour travel that are in some ring of the receiver, from 1 on. */
        boolean takes(int ring, int colour);
    }

    private ColouredGaussSeidel(HaloPlan plan, double omega, RankColouring colouring) {
        this.plan = plan;
        this.omega = omega;
        this.count = colouring.count();
        this.colours = localColours(plan, colouring);
        requireProper();
        LocalRows local = plan.localRows();
        int[] diagonals = diagonals(plan);
        HostVector inverse = HostVector.of(plan.precision(), local.rows(), row -> inverse(plan, row, diagonals[row]));
        this.rows = new int[local.rows()];
        this.cuts = new int[count][];
        sortRows();
        this.kernels = ColourKernels.of(plan, new ColourKernels.Relaxation(rows, diagonals, inverse, omega));
        for (SweepDirection direction : SweepDirection.values()) {
            int[] order = order(direction);
            orders.put(direction, order);
            partial.put(direction, new Exchange[plan.rings() + 1][order.length]);
        }
        this.activity = new RingActivity(plan, "sweep");
        this.b = plan.vector();
        this.x = plan.vector();
        this.whole = new Exchange[plan.rings() + 1][2];
    }

    /**
     * Colours the matrix and prepares sweeps. Collective; at most once for a plan. Costs what {@link RankColouring}
     * costs, beside one exchange of the colours of all rings.
     *
     * @param plan  the halo of the matrix, on the host or on a device
     * @param omega ω, more than 0 and less than 2; 1 for Gauss–Seidel
     * @return the smoother, with zeros for solution and right-hand side
     * @throws IllegalArgumentException if ω is out of range, or an element of the diagonal is absent or has no finite
     *                                  inverse; names the row
     */
    public static ColouredGaussSeidel of(HaloPlan plan, double omega) {
        return of(plan, omega, RankColouring.firstFit(plan.matrix()));
    }

    /**
     * Prepares sweeps with colours that are known, such as from another plan of the matrix. Collective; at most once
     * for a plan. Costs one exchange of the colours of all rings.
     *
     * @param plan      the halo of the matrix, on the host or on a device
     * @param omega     ω, more than 0 and less than 2; 1 for Gauss–Seidel
     * @param colouring the colours of the rows of the plan's matrix, or of one with the same rows and pattern
     * @return the smoother, with zeros for solution and right-hand side
     * @throws IllegalArgumentException if ω is out of range, a row is a neighbour of one of its colour, or an element
     *                                  of the diagonal is absent or has no finite inverse; names the row
     */
    public static ColouredGaussSeidel of(HaloPlan plan, double omega, RankColouring colouring) {
        if (!(omega > 0 && omega < 2)) {
            throw new IllegalArgumentException("omega of a coloured Gauss-Seidel smoother is " + omega
                    + ", expected more than 0 and less than 2");
        }
        Checks.length("number of coloured rows", colouring.colours().length, plan.matrix().ownedRows());
        return new ColouredGaussSeidel(plan, omega, colouring);
    }

    /** Asks the owners for the colours of all rings. */
    private static int[] localColours(HaloPlan plan, RankColouring colouring) {
        int[] all = Arrays.copyOf(colouring.colours(), plan.localElements());
        byte[][] messages = new byte[plan.communicator().size()][];
        for (SendList list : plan.sends()) {
            Packet packet = new Packet();
            for (int place : list.places()) {
                packet.put(all[place]);
            }
            messages[list.rank()] = packet.toBytes();
        }
        byte[][] received = plan.communicator().exchange(messages);
        for (ReceiveList list : plan.receives()) {
            Packet packet = Packet.of(received[list.rank()]);
            for (int ring = 0; ring < list.counts().length; ring++) {
                for (int i = 0; i < list.counts()[ring]; i++) {
                    all[list.starts()[ring] + i] = packet.getInt();
                }
            }
        }
        return all;
    }

    private void requireProper() {
        LocalRows local = plan.localRows();
        for (int row = 0; row < local.rows(); row++) {
            for (int k = local.offsets()[row]; k < local.offsets()[row + 1]; k++) {
                int column = local.columns()[k];
                if (column != row && colours[column] == colours[row]) {
                    throw new IllegalArgumentException("row " + plan.globalIndex(row) + " and its neighbour "
                            + plan.globalIndex(column) + " have colour " + colours[row]
                            + " both, expected a colouring of this matrix");
                }
            }
        }
    }

    private static int[] diagonals(HaloPlan plan) {
        LocalRows local = plan.localRows();
        int[] places = new int[local.rows()];
        for (int row = 0; row < places.length; row++) {
            int k = local.offsets()[row];
            while (k < local.offsets()[row + 1] && local.columns()[k] != row) {
                k++;
            }
            if (k == local.offsets()[row + 1]) {
                throw new IllegalArgumentException("row " + plan.globalIndex(row)
                        + " has no element on the diagonal, expected one to divide by");
            }
            places[row] = k;
        }
        return places;
    }

    private static double inverse(HaloPlan plan, int row, int diagonal) {
        double element = plan.localRows().values().get(diagonal);
        double inverse = 1 / element;
        if (!Double.isFinite(inverse) || inverse == 0) {
            throw new IllegalArgumentException("row " + plan.globalIndex(row) + " has " + element
                    + " on the diagonal, expected a number with a finite inverse");
        }
        return inverse;
    }

    private void sortRows() {
        int[] next = new int[count + 1];
        for (int row = 0; row < rows.length; row++) {
            next[colours[row] + 1]++;
        }
        Arrays.parallelPrefix(next, Integer::sum);
        for (int colour = 0; colour < count; colour++) {
            cuts[colour] = new int[plan.rings() + 2];
            Arrays.fill(cuts[colour], next[colour]);
        }
        int ring = 0;
        for (int row = 0; row < rows.length; row++) {
            while (row >= plan.rowsWithin(ring)) {
                ring++;
            }
            int colour = colours[row];
            rows[next[colour]++] = row;
            cuts[colour][2 + ring] = next[colour];
            if (row < plan.matrix().interiorRows()) {
                cuts[colour][1] = next[colour];
            }
        }
        for (int[] cut : cuts) {
            // A ring without rows of the colour ends where the one before it does.
            for (int i = 1; i < cut.length; i++) {
                cut[i] = Math.max(cut[i], cut[i - 1]);
            }
        }
    }

    private int[] order(SweepDirection direction) {
        int first = direction == SweepDirection.BACKWARD ? 0 : count;
        int second = switch (direction) {
            case FORWARD -> 0;
            case BACKWARD -> count;
            case SYMMETRIC -> omega == 1 ? Math.max(0, count - 1) : count;
        };
        int[] order = new int[first + second];
        for (int stage = 0; stage < order.length; stage++) {
            order[stage] = stage < first ? stage : order.length - 1 - stage;
        }
        return order;
    }

    /**
     * Returns the right-hand side. Code that writes it calls {@link RingVector#changed}.
     *
     * @return a vector of the plan, always the same
     */
    public RingVector rightHandSide() {
        return b;
    }

    /**
     * Returns the iterate. Code that writes it calls {@link RingVector#changed}.
     *
     * @return a vector of the plan, always the same
     */
    public RingVector solution() {
        return x;
    }

    /**
     * Returns the number of colours.
     *
     * @return of the whole matrix, the same on all ranks
     */
    public int colours() {
        return count;
    }

    /**
     * Returns the number of stages of a sweep, which is how many rings one exchange for a sweep takes.
     *
     * @param direction the direction of the sweep
     * @return the number of colours that it relaxes, one after the other
     */
    public int stages(SweepDirection direction) {
        return orders.get(direction).length;
    }

    /**
     * Does sweeps.
     *
     * @param sweeps    how many, at least 0
     * @param direction the order of the colours
     * @throws IllegalArgumentException if the number is negative
     * @throws IllegalStateException    if it would be more than 20,000 different exchanges, which takes thousands of
     *                                  colours
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void smooth(int sweeps, SweepDirection direction) {
        Checks.notNegative("number of sweeps", sweeps);
        int[] order = orders.get(direction);
        boolean hasExchanged = false;
        for (int sweep = 0; sweep < sweeps; sweep++) {
            for (int stage = 0; stage < order.length; stage++) {
                boolean exchanges = x.validRings() == 0;
                activity.enter(exchanges);
                int done = cuts[order[stage]][0];
                if (exchanges) {
                    done = exchange(direction, stage, hasExchanged);
                    hasExchanged = true;
                }
                relaxRest(order[stage], done);
            }
        }
    }

    /** Relaxes what is left of a colour, as deep as rings are up to date. */
    private void relaxRest(int colour, int done) {
        int depth = Math.min(x.validRings() - 1, b.validRings());
        long phase = activity.begin();
        kernels.relax(done, cuts[colour][2 + depth], b, x);
        activity.endRest(phase);
        x.setValidRings(depth);
    }

    /** Exchanges while the interior rows of a colour are relaxed; returns the place behind these. */
    private int exchange(SweepDirection direction, int stage, boolean hasExchanged) {
        int active = plan.activeRings();
        boolean takesRight = b.validRings() < active - 1;
        Exchange exchange = hasExchanged && !takesRight
                ? partialExchange(active, direction, stage)
                : wholeExchange(active, takesRight);
        int[] cut = cuts[orders.get(direction)[stage]];
        exchange.bind(0, x.storage());
        exchange.bind(1, b.storage());
        exchange.start();
        long phase = activity.begin();
        kernels.relax(cut[0], cut[1], b, x);
        activity.endInterior(phase);
        exchange.finish();
        x.setValidRings(active);
        if (takesRight) {
            b.setValidRings(active - 1);
        }
        return cut[1];
    }

    private Exchange wholeExchange(int active, boolean takesRight) {
        int which = takesRight ? 1 : 0;
        if (whole[active][which] == null) {
            whole[active][which] = open((ring, colour) -> true, active, takesRight ? active - 1 : 0);
        }
        return whole[active][which];
    }

    private Exchange partialExchange(int active, SweepDirection direction, int stage) {
        Exchange[] byStage = partial.get(direction)[active];
        if (byStage[stage] == null) {
            int[] order = orders.get(direction);
            // The ring from which on elements of a colour were not relaxed redundantly by some stage since.
            int[] outdatedFrom = new int[count];
            Arrays.fill(outdatedFrom, Integer.MAX_VALUE);
            for (int back = 1; back <= active; back++) {
                int colour = order[Math.floorMod(stage - back, order.length)];
                outdatedFrom[colour] = Math.min(outdatedFrom[colour], back);
            }
            byStage[stage] = open((ring, colour) -> ring >= outdatedFrom[colour], active, 0);
        }
        return byStage[stage];
    }

    /** Opens an exchange of some elements of x, and of the first rings of the right-hand side. */
    private Exchange open(Choice choice, int rings, int rightRings) {
        if (opened.size() == MOST_EXCHANGES) {
            throw new IllegalStateException("a coloured Gauss-Seidel smoother of " + count + " colours has "
                    + MOST_EXCHANGES + " different exchanges, expected no more");
        }
        ScalarType type = ScalarType.of(plan.precision());
        Exchange exchange = plan.open(Exchange.of(plan.communicator(), FIRST_TAG + opened.size())
                .part(0, chosen(choice, rings), 1, type).part(1, plan.links(rightRings), 1, type));
        opened.add(exchange);
        return exchange;
    }

    private ExchangePattern chosen(Choice choice, int rings) {
        int[][] out = new int[plan.communicator().size()][0];
        int[][] in = new int[plan.communicator().size()][0];
        for (SendList list : plan.sends()) {
            out[list.rank()] = IntStream.rangeClosed(1, rings)
                    .flatMap(ring -> Arrays.stream(list.places(), list.offsets()[ring - 1], list.offsets()[ring])
                            .filter(place -> choice.takes(ring, colours[place])))
                    .toArray();
        }
        for (ReceiveList list : plan.receives()) {
            in[list.rank()] = IntStream.rangeClosed(1, rings)
                    .flatMap(ring -> IntStream.range(list.starts()[ring - 1],
                            list.starts()[ring - 1] + list.counts()[ring - 1])
                            .filter(place -> choice.takes(ring, colours[place])))
                    .toArray();
        }
        return ExchangePattern.of(out, in);
    }

    /**
     * Counts the exchanges of all sweeps so far; those of the plan are not among them.
     *
     * @return at least 0
     */
    public long exchanges() {
        return opened.stream().mapToLong(Exchange::count).sum();
    }

    /**
     * Counts the messages to one neighbour so far.
     *
     * @param neighbour its place among {@link HaloPlan#sends}
     * @return at most one an exchange; none in those that have nothing for the neighbour
     */
    public long messages(int neighbour) {
        int rank = plan.sends().get(neighbour).rank();
        return opened.stream().mapToLong(exchange -> exchange.messages(rank)).sum();
    }

    /**
     * Counts the elements that this rank has sent so far, of solution and right-hand side.
     *
     * @return at least 0
     */
    public long sentElements() {
        return opened.stream().mapToLong(exchange -> exchange.count() * exchange.bytes()).sum()
                / plan.precision().bytes();
    }
}
