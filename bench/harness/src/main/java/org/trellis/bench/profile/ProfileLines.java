package org.trellis.bench.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Table;
import org.trellis.bench.report.html.TablesPage;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.LoopFeatures;
import org.trellis.tuner.profile.FormSetting;
import org.trellis.tuner.profile.LoopResult;
import org.trellis.tuner.profile.Measured;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.RingSetting;
import org.trellis.tuner.profile.SolverResult;
import org.trellis.tuner.profile.SolverSetting;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.solver.SolverChoice;

/**
 * What a profile holds of a device: of each matrix, loop, ring, system and finite element form the best that was
 * measured, or everything.
 */
final class ProfileLines {
    /** Solutions that a set-up is taken to serve where values do not change. */
    private static final int SOLVES = 20;

    private final Profile profile;
    private final boolean all;
    private final Map<String, List<Line>> kinds = new LinkedHashMap<>();

    /**
     * A result.
     *
     * @param what     the name of the matrix, loop or form
     * @param where    under which circumstances
     * @param how      the parameters, or the solver
     * @param seconds  its median time; for a solver that of a solution with its share of the set-up
     * @param outcome  why there is no time; empty if there is one
     * @param measured how many were measured in these circumstances
     */
    record Line(String what, String where, String how, double seconds, String outcome, int measured) {
        String time() {
            return outcome.isEmpty() ? Numbers.seconds(seconds) : outcome;
        }
    }

    ProfileLines(Profile profile, TuningDevice device, boolean all) {
        this.profile = profile;
        this.all = all;
        add("products", profile.results(device), result -> name(result.matrix()),
                result -> result.precision().label(), result -> result.parameters().toString(),
                Measured::medianSeconds);
        add("mesh loops", profile.loopResults(device), this::loop, this::layout,
                result -> result.parameters().toString(), Measured::medianSeconds);
        add("rings of halos", profile.ringResults(device), result -> name(result.matrix()),
                result -> result.precision().label() + ", " + ring(result.setting()),
                result -> result.rings() == 1 ? "1 ring" : result.rings() + " rings", Measured::medianSeconds);
        add("solvers", profile.solverResults(device), result -> name(result.matrix()),
                result -> solving(result.setting()), ProfileLines::choice, result -> result.secondsOfSolution(SOLVES));
        add("finite elements", profile.formResults(device), result -> result.setting().element(),
                result -> form(result.setting()), result -> result.configuration().toString(),
                Measured::medianSeconds);
    }

    /** The lines by kind, without kinds of which there is nothing. */
    Map<String, List<Line>> kinds() {
        return kinds;
    }

    private <T extends Measured> void add(String kind, List<T> results, Function<T, String> what,
            Function<T, String> where, Function<T, String> how, ToDoubleFunction<T> seconds) {
        Map<Object, List<T>> groups = new LinkedHashMap<>();
        results.forEach(result -> groups.computeIfAbsent(result.group(), key -> new ArrayList<>()).add(result));
        List<Line> lines = new ArrayList<>();
        for (List<T> group : groups.values()) {
            List<T> shown = all
                    ? group
                    : group.stream().filter(Measured::isCorrect).min(Comparator.comparingDouble(seconds)).stream()
                            .toList();
            shown.forEach(result -> lines.add(new Line(what.apply(result), where.apply(result), how.apply(result),
                    result.isCorrect() ? seconds.applyAsDouble(result) : Double.NaN,
                    result.isCorrect() ? "" : result.invalidity().label(), group.size())));
        }
        if (!lines.isEmpty()) {
            kinds.put(kind, lines);
        }
    }

    private String name(Fingerprint fingerprint) {
        Profile.Matrix matrix = profile.matrices().get(fingerprint);
        return matrix == null ? fingerprint.toString() : matrix.name();
    }

    private String loop(LoopResult result) {
        LoopFeatures loop = profile.loops().get(result.loop());
        return loop == null ? result.loop().toString() : loop.kernel() + " on " + loop.elements() + " " + loop.set();
    }

    private String layout(LoopResult result) {
        LoopFeatures loop = profile.loops().get(result.loop());
        return loop == null ? "" : loop.precision().label() + ", " + loop.layouts() + ", " + loop.order();
    }

    private static String ring(RingSetting setting) {
        return setting.ranks() + " ranks by " + setting.transport() + ", divided by " + setting.partitioner() + ", "
                + setting.program() + (setting.level() == 0 ? "" : ", level " + setting.level());
    }

    private static String solving(SolverSetting setting) {
        return setting.precision().label() + ", " + setting.digits() + " digits"
                + (setting.ranks() == 1 ? "" : ", " + setting.ranks() + " ranks")
                + (setting.updated() ? ", values change" : "");
    }

    private static String choice(SolverResult result) {
        return SolverChoice.fromMap(result.configuration()) + (result.chosen() ? ", chosen" : "")
                + (result.calibrated() ? ", calibrated" : "");
    }

    private static String form(FormSetting setting) {
        return setting.precision().label() + ", " + setting.cells() + " cells or more, "
                + (setting.fields() == 1 ? "1 field" : setting.fields() + " fields") + ", " + setting.products()
                + " products" + (setting.rows() ? ", needs rows" : "");
    }

    /** Adds a section for each kind to a page. */
    void addTo(TablesPage page, TuningDevice device) {
        kinds.forEach((kind, lines) -> {
            Table table = new Table(Column.words("of").means("Name of the matrix, mesh loop or element."),
                    Column.words("where").means("The circumstances."),
                    Column.words("with").means("Parameters, or the solver."),
                    Column.of("time", Format.SECONDS).means("Median; of a solver that of a solution with a twentieth "
                            + "of its set-up, or with all of it where values change."),
                    Column.of("measured", Format.COUNT).means("How many were measured in these circumstances."));
            lines.forEach(line -> table.row(line.what(), line.where(), line.how(),
                    line.outcome().isEmpty() ? line.seconds() : line.outcome(), line.measured()));
            page.add(device + ": " + kind, List.of(), table);
        });
    }
}
