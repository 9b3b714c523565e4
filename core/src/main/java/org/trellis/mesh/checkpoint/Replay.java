package org.trellis.mesh.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshChains;
import org.trellis.mesh.RankedDat;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.loop.Layout;

/** A program that starts again, until it is where the checkpoint was: what it reads it gets from the log. */
final class Replay implements AutoCloseable {
    private final Mesh mesh;
    private final SavedState state;
    private final ReadLog log;
    private final Map<String, Integer> numbers = new HashMap<>();
    private boolean refused;

    @SuppressWarnings("MustBeClosed") // closed with this
    Replay(Mesh mesh, SavedState state) {
        this.mesh = mesh;
        this.state = state;
        for (int i = 0; i < state.head().steps().size(); i++) {
            numbers.put(state.head().steps().get(i), i);
        }
        try {
            log = new ReadLog(state.log(), state.head().logged());
        } catch (IOException e) {
            throw new UncheckedIOException(state + ": its log cannot be read", e);
        }
    }

    private CheckpointException refusal(String message) {
        refused = true;
        return new CheckpointException(message);
    }

    /** Says whether a refusal has been thrown. */
    boolean refused() {
        return refused;
    }

    long position() {
        return state.head().position();
    }

    SavedState state() {
        return state;
    }

    /** Compares a step with that of the run before. */
    void expect(StepUse use, long step) {
        int before = state.steps().next();
        Integer now = numbers.get(use.description());
        if (now == null || now != before) {
            throw refusal("step " + step + " of the program is " + use.description() + ", expected "
                    + state.head().steps().get(before) + " as before " + state + ": the program has changed");
        }
    }

    /**
     * Returns what the run before has read at this place.
     *
     * @param reading what is read now; its values count only in number
     * @return the values of before
     */
    double[] take(LogRecord reading) {
        try {
            LogRecord before = log.next();
            if (before == null || !before.sameReading(reading)) {
                throw refusal("the program reads " + reading.what() + ", expected "
                        + (before == null ? "nothing more" : before.what()) + " as before " + state
                        + ": the program has changed");
            }
            return before.values();
        } catch (IOException e) {
            throw new UncheckedIOException(state + ": its log cannot be read", e);
        }
    }

    /** Says that the program has ended before it was where the checkpoint is. */
    CheckpointException endedEarly(long steps) {
        return new CheckpointException("the program has ended after " + steps + " steps, expected at least the "
                + position() + " of " + state
                + ": the program has changed, and nothing of this run's results is right");
    }

    /** Brings everything to where it was. */
    void restore(StepLog steps) {
        requireSameGiven(steps);
        mesh.divide();
        try {
            if (log.next() != null) {
                throw refusal("the program has read less than before " + state
                        + ": the program has changed");
            }
            Map<String, Dat> dats = new HashMap<>();
            mesh.dats().forEach(dat -> dats.put(dat.name(), dat));
            steps.guests().forEach(guest -> dats.put(guest.name(), guest.dat()));
            if (isDividedAlike(dats)) {
                restoreOwn(dats);
                MeshChains.repeat(mesh, chains());
            } else {
                restoreAll(dats);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(state + " cannot be read any more", e);
        }
        steps.globals().forEach(this::restore);
        steps.scalars().forEach(scalars -> restore(scalars, steps.name(scalars)));
    }

    private void requireSameGiven(StepLog steps) {
        steps.given().forEach((dat, given) -> {
            if (!given.equals(state.head().given().getOrDefault(dat, 0L))) {
                throw refusal("the program has given dat '" + dat + "' other values than before "
                        + state + ", expected the same: it, or what it reads from files, has changed");
            }
        });
    }

    private int rank() {
        return mesh.ranks().map(ranks -> ranks.rank()).orElse(0);
    }

    private int ranks() {
        return mesh.ranks().map(ranks -> ranks.ranks()).orElse(1);
    }

    /** Says whether all ranks have the same elements as in the run before. */
    private boolean isDividedAlike(Map<String, Dat> dats) throws IOException {
        boolean alike = state.values().size() == ranks();
        if (alike) {
            try (SavedState.Opened opened = SavedState.open(state.values().get(rank()))) {
                for (SavedState.Values values = opened.next(); values != null && alike; values = opened.next()) {
                    Dat dat = dat(dats, values);
                    RankedDat ranked = dat.onRank().orElse(null);
                    alike = Arrays.equals(values.users(), SavedDat.users(dat, ranked))
                            && values.owned() == (ranked == null ? dat.set().size() : ranked.ownedElements())
                            && values.layout() == dat.layout();
                }
            }
        }
        long[] differs = {alike ? 0 : 1};
        mesh.ranks().ifPresent(ranks -> ranks.highest(differs));
        return differs[0] == 0;
    }

    /** Returns how chains of loops ran on this rank. */
    private Map<String, double[]> chains() throws IOException {
        try (SavedState.Opened opened = SavedState.open(state.values().get(rank()))) {
            return opened.head().chains();
        }
    }

    private Dat dat(Map<String, Dat> dats, SavedState.Values values) {
        Dat dat = dats.get(values.name());
        if (dat == null || dat.components() != values.components() || dat.type() != values.values().type()) {
            throw refusal(state + " has " + values.components() + " " + values.values().type().label()
                    + " of dat '" + values.name() + "', expected " + (dat == null ? "no such dat" : dat.toString())
                    + ": the program has changed");
        }
        return dat;
    }

    private void restoreOwn(Map<String, Dat> dats) throws IOException {
        try (SavedState.Opened opened = SavedState.open(state.values().get(rank()))) {
            for (SavedState.Values values = opened.next(); values != null; values = opened.next()) {
                Dat dat = dat(dats, values);
                RankedDat ranked = dat.onRank().orElse(null);
                (ranked == null ? dat : ranked.local()).storage().copyFrom(values.values());
                if (ranked != null) {
                    ranked.restored(values.validity());
                }
            }
        }
    }

    /** Puts together what all ranks of the run before had, and lets every rank take its part. */
    private void restoreAll(Map<String, Dat> dats) throws IOException {
        List<SavedState.Opened> opened = new ArrayList<>();
        try {
            for (int file = 0; file < state.values().size(); file++) {
                opened.add(openOf(file));
            }
            for (SavedState.Values first = opened.getFirst().next(); first != null; first = opened.getFirst().next()) {
                Dat dat = dat(dats, first);
                double[] all = new double[dat.set().size() * dat.components()];
                place(first, all);
                for (SavedState.Opened other : opened.subList(1, opened.size())) {
                    SavedState.Values values = other.next();
                    if (values == null || !values.name().equals(first.name())) {
                        throw refusal(other + " has other dats than " + opened.getFirst()
                                + ", expected '" + first.name() + "': they are of different runs");
                    }
                    place(values, all);
                }
                dat.setAll(all);
            }
        } finally {
            for (SavedState.Opened file : opened) {
                file.close();
            }
        }
    }

    @SuppressWarnings("MustBeClosed") // the caller closes all
    private SavedState.Opened openOf(int file) throws IOException {
        return SavedState.open(state.values().get(file));
    }

    private static void place(SavedState.Values from, double[] all) {
        HostStorage values = from.values();
        int components = from.components();
        int elements = values.length() / components;
        for (int e = 0; e < from.owned(); e++) {
            int user = from.users() == null ? e : from.users()[e];
            for (int c = 0; c < components; c++) {
                all[user * components + c] =
                        values.get(from.layout() == Layout.AOS ? e * components + c : c * elements + e);
            }
        }
    }

    private void restore(Global global) {
        double[] values = state.head().globals().get(global.name());
        if (values == null || values.length != global.components()) {
            throw refusal(state + " has no value of " + global + ": the program has changed");
        }
        global.set(values);
    }

    private void restore(Scalars scalars, String name) {
        double[] values = state.head().scalars().get(name);
        if (values == null || values.length != scalars.count()) {
            throw refusal(state + " has no values of " + scalars + ": the program has changed");
        }
        for (int i = 0; i < values.length; i++) {
            scalars.set(i, values[i]);
        }
    }

    @Override
    public void close() {
        try {
            log.close();
        } catch (IOException e) {
            throw new UncheckedIOException(state + ": its log cannot be closed", e);
        }
    }
}
