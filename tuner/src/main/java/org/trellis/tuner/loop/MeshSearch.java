package org.trellis.tuner.loop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.Layout;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.features.LoopFeatures;
import org.trellis.tuner.features.LoopFingerprint;
import org.trellis.tuner.profile.LoopResult;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.TuningDevice;

/**
 * Looks for the best parameters of the loops of an application, and on request for the best layout of each dat, by runs
 * of its own. The data stay what they were.
 *
 * <p>A layout concerns all loops that use the dat, so layouts are judged by the time of all loops together, each run as
 * often as the application runs it: first all dats as arrays of structures and all as structures of arrays; then, from
 * the better of both, each dat with several components on its own in the other layout, which stays if it pays.
 */
public final class MeshSearch {
    /** A layout of one dat has to gain so much of the time of all loops. */
    private static final double GAIN = 0.005;
    /** Sets of parameters that are measured of a loop when one of its dats alone changes. */
    private static final int TRIALS_OF_A_FLIP = 16;

    private final Backend backend;
    private final List<Part> parts;
    private final LoopTuningSettings settings;
    private final TuningDevice device;
    private final List<Profile> profiles;
    private final Map<LoopFingerprint, LoopFeatures> features = new LinkedHashMap<>();
    private final Map<LoopFingerprint, List<LoopResult>> results = new HashMap<>();
    private Profile found = Profile.empty();

    /**
     * A loop of an application.
     *
     * @param loop the loop
     * @param runs how often the application runs it for each run of the others, in the same unit for all loops
     */
    public record Part(ParallelLoop loop, double runs) {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if the number is negative
         */
        public Part {
            Objects.requireNonNull(loop);
            if (!(runs >= 0)) {
                throw new IllegalArgumentException("runs of " + loop + " are " + runs + ", expected at least 0");
            }
        }

        /**
         * Takes the loops of a sequence.
         *
         * @param sequence what the application runs again and again
         * @return its loops in the order in which they are run first, each with its number of runs
         */
        public static List<Part> of(LoopSequence sequence) {
            return sequence.loops().entrySet().stream().map(loop -> new Part(loop.getKey(), loop.getValue())).toList();
        }
    }

    /**
     * What a loop is best run with, in certain layouts.
     *
     * @param loop the loop
     * @param best the fastest that was found
     * @param rule what was measured of the rule's parameters
     */
    public record Found(ParallelLoop loop, LoopResult best, LoopResult rule) {}

    /**
     * Layouts and parameters.
     *
     * @param layouts the layout of each dat of the loops
     * @param loops   each loop's best
     * @param seconds the time of all runs of all loops
     */
    public record Choice(Map<Dat, Layout> layouts, List<Found> loops, double seconds) {
        /** Copies the collections. */
        public Choice {
            layouts = Map.copyOf(layouts);
            loops = List.copyOf(loops);
        }

        /** Gives dats their layouts and loops their parameters. */
        public void apply() {
            layouts.forEach(Dat::layout);
            loops.forEach(one -> one.loop().parameters(one.best().parameters()));
        }
    }

    /** Hears what is being measured. */
    @FunctionalInterface
    public interface Listener {
        /** Ignores everything. */
        Listener NONE = (loop, result, best, done, total) -> {};

        /**
         * A set of parameters was measured.
         *
         * @param loop   the loop in its present layouts
         * @param result what came of it
         * @param best   the best so far, or null if nothing has worked
         * @param done   sets measured, those known before included
         * @param total  sets that there are
         */
        void tried(LoopFeatures loop, LoopResult result, LoopResult best, int done, int total);
    }

    /**
     * Prepares a search.
     *
     * @param backend  the backend of the mesh
     * @param parts    the loops, all of one mesh; at least one
     * @param profiles what was learnt before, the most trusted first; what the first knows is not measured again
     * @param settings how to walk, and whether atomics belong to the space
     * @throws IllegalArgumentException if there is no loop
     */
    public MeshSearch(Backend backend, List<Part> parts, List<Profile> profiles, LoopTuningSettings settings) {
        this.backend = Objects.requireNonNull(backend);
        this.parts = List.copyOf(parts);
        this.profiles = List.copyOf(profiles);
        this.settings = Objects.requireNonNull(settings);
        this.device = TuningDevice.of(backend);
        Checks.positive("number of loops", this.parts.size());
    }

    /**
     * Searches in the layouts that dats have now. They keep them, and loops keep their parameters.
     *
     * @param budget   how long to go on, for all loops together
     * @param seed     decides on what is drawn at random
     * @param listener hears of each set
     * @return the best parameters
     * @throws IllegalStateException if a loop cannot be run at all
     */
    public Choice parameters(SearchBudget budget, long seed, Listener listener) {
        return measure(share(budget, parts.size()), seed, listener);
    }

    /** Divides a budget among some searches. */
    private static SearchBudget share(SearchBudget budget, int searches) {
        return budget.isExhaustive()
                ? budget
                : new SearchBudget(budget.seconds() / searches, Math.max(1, budget.trials() / searches));
    }

    private Choice measure(SearchBudget budget, long seed, Listener listener) {
        List<Found> all = new ArrayList<>();
        double seconds = 0;
        for (Part part : parts) {
            Found one = search(part.loop(), budget, seed, listener);
            all.add(one);
            seconds += part.runs() * one.best().medianSeconds();
        }
        return new Choice(layouts(), all, seconds);
    }

    private Map<Dat, Layout> layouts() {
        Map<Dat, Layout> layouts = new LinkedHashMap<>();
        for (Part part : parts) {
            LoopDeclaration loop = part.loop().declaration();
            for (int a = 0; a < loop.arity(); a++) {
                if (loop.dat(a) != null) {
                    layouts.put(loop.dat(a), loop.dat(a).layout());
                }
            }
        }
        return layouts;
    }

    private Found search(ParallelLoop loop, SearchBudget budget, long seed, Listener listener) {
        LoopDeclaration declaration = loop.declaration();
        LoopFingerprint fingerprint = LoopFingerprint.of(declaration);
        List<LoopResult> known = results.computeIfAbsent(fingerprint, key -> profiles.isEmpty()
                ? List.of()
                : profiles.getFirst().loopResults(device, key));
        List<Profile> hints = new ArrayList<>(profiles);
        hints.add(found);
        LoopSearch search = new LoopSearch(backend, loop,
                new LoopAdvisor(device, hints, settings.allowUnrepeatable()), settings, known);
        LoopFeatures about = search.features();
        search.run(budget, seed, (result, best, done, total) -> listener.tried(about, result, best, done, total));
        LoopResult rule = search.results().stream().filter(result -> result.parameters().equals(search.rule()))
                .findFirst().orElseThrow();
        LoopResult best = search.best().orElseThrow(() -> new IllegalStateException(
                declaration + " could not be run with any of " + search.results().size() + " sets of parameters"));
        features.put(fingerprint, about);
        results.put(fingerprint, search.results());
        found = found.with(device, about, search.results());
        return new Found(loop, best, rule);
    }

    /**
     * Searches through layouts and parameters. Dats keep the layouts that they have now; {@link Choice#apply} changes
     * them.
     *
     * @param budget   how long to go on, for all layouts and loops together
     * @param seed     decides on what is drawn at random
     * @param listener hears of each set
     * @return the best layouts and parameters
     * @throws IllegalStateException if a loop cannot be run at all
     */
    public Choice layoutsAndParameters(SearchBudget budget, long seed, Listener listener) {
        Map<Dat, Layout> before = layouts();
        int flips = 0;
        for (Dat dat : before.keySet()) {
            flips += dat.components() > 1 ? users(dat).size() : 0;
        }
        SearchBudget each = share(budget, 2 * parts.size() + flips);
        try {
            Optional<Choice> best = Optional.empty();
            for (Layout layout : Layout.values()) {
                before.keySet().forEach(dat -> dat.layout(layout));
                Choice choice = measure(each, seed, listener);
                best = best.isEmpty() || choice.seconds() < best.get().seconds() ? Optional.of(choice) : best;
            }
            Choice chosen = best.orElseThrow();
            for (Dat dat : before.keySet()) {
                if (dat.components() > 1) {
                    chosen = flipped(chosen, dat, each, seed, listener);
                }
            }
            return chosen;
        } finally {
            before.forEach(Dat::layout);
        }
    }

    private Set<Integer> users(Dat dat) {
        Set<Integer> users = new LinkedHashSet<>();
        for (int i = 0; i < parts.size(); i++) {
            LoopDeclaration loop = parts.get(i).loop().declaration();
            for (int a = 0; a < loop.arity(); a++) {
                if (loop.dat(a) == dat) {
                    users.add(i);
                }
            }
        }
        return users;
    }

    /** The choice with one dat in the other layout, if that is better. */
    private Choice flipped(Choice from, Dat dat, SearchBudget each, long seed, Listener listener) {
        from.layouts().forEach(Dat::layout);
        dat.layout(from.layouts().get(dat) == Layout.AOS ? Layout.SOA : Layout.AOS);
        SearchBudget budget = new SearchBudget(each.seconds(), Math.min(each.trials(), TRIALS_OF_A_FLIP));
        List<Found> all = new ArrayList<>(from.loops());
        double seconds = from.seconds();
        for (int i : users(dat)) {
            Found one = search(parts.get(i).loop(), budget, seed, listener);
            seconds += parts.get(i).runs() * (one.best().medianSeconds() - all.get(i).best().medianSeconds());
            all.set(i, one);
        }
        return seconds < from.seconds() * (1 - GAIN) ? new Choice(layouts(), all, seconds) : from;
    }

    /**
     * Adds everything that was measured to a profile.
     *
     * @param profile the profile
     * @return a profile with the results, in all layouts that were tried
     */
    public Profile export(Profile profile) {
        Profile result = profile;
        for (Map.Entry<LoopFingerprint, LoopFeatures> loop : features.entrySet()) {
            result = result.with(device, loop.getValue(), results.get(loop.getKey()));
        }
        return result;
    }
}
