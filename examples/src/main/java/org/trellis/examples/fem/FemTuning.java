package org.trellis.examples.fem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.trellis.backend.Backend;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.console.Usage;
import org.trellis.bench.option.BudgetConverter;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Table;
import org.trellis.common.Checks;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.fem.DegreeMultigrid;
import org.trellis.fem.FormChoice;
import org.trellis.fem.FormOptions;
import org.trellis.fem.FormSystem;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.mesh.MeshOptions;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.form.FormSearch;
import org.trellis.tuner.form.FormSpace;
import org.trellis.tuner.profile.FormResult;
import org.trellis.tuner.profile.FormSetting;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.TuningDevice;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How storage, formulation, scheme and blocks are chosen where the command line leaves them open. */
final class FemTuning {
    private static final double USUAL_SECONDS = 20;
    private static final int SHOWN = 8;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--tune",
            description = "Before solving, measure variants of storing and computing the system, and take "
                    + "the best; what other options fix stays fixed.")
    private boolean tune;

    @Option(names = "--budget", paramLabel = "30s|2m|N", converter = BudgetConverter.class,
            description = "Of --tune: time, or number of variants. Default: 20s.")
    private SearchBudget budget;

    @Option(names = "--exhaustive", description = "Of --tune: measure every way.")
    private boolean exhaustive;

    @Option(names = "--products", paramLabel = "N", defaultValue = "100",
            description = "Products for each assembly by which variants are judged. Default: 100.")
    private int products;

    @Option(names = "--profile", paramLabel = "FILE", description = {
        "Take the best way that this tuning profile knows for such systems; may be repeated."})
    private List<Path> profiles = new ArrayList<>();

    @Option(names = "--export", paramLabel = "FILE",
            description = "Of --tune: add what was measured to this profile, which is made if need be.")
    private Path export;

    /**
     * What was chosen.
     *
     * @param options how the system is made
     * @param by      {@code rule}, {@code profile}, {@code tuning} or {@code options}
     */
    record Chosen(FormOptions options, String by) {}

    void check() {
        OutputFile.check("--export", export);
        Checks.positive("--products", products);
        if (!tune && (budget != null || exhaustive || export != null)) {
            throw new IllegalArgumentException("--budget, --exhaustive and --export need --tune");
        }
        if (budget != null && exhaustive) {
            throw new IllegalArgumentException("--exhaustive has no --budget, expected one of them");
        }
        for (Path profile : profiles) {
            if (!Files.isReadable(profile)) {
                throw new IllegalArgumentException("--profile " + profile + ": there is no such file");
            }
        }
    }

    /** Says whether a number of ranks matters to what was asked for. */
    boolean isAsked() {
        return tune || !profiles.isEmpty();
    }

    /**
     * Chooses.
     *
     * @param how     the rest of the command line
     * @param problem what is solved
     * @param space   on which space
     * @param backend where it runs
     * @param console which shows what was measured
     * @return what profiles or a search say is best, otherwise what the rule says
     * @throws IOException if a profile cannot be read or written
     */
    Chosen choose(FemOptions how, DegreeMultigrid.Problem problem, FunctionSpace space, Backend backend,
            Console console) throws IOException {
        FormOptions rule = how.form(space.element(), problem.form().fields());
        Predicate<FormChoice> allowed = how.allowed(space.element());
        if (!isAsked()) {
            return new Chosen(rule, how.fixesAll() ? "options" : "rule");
        }
        FormSetting setting = new FormSetting(space.element() + ", map of degree "
                + space.mesh().geometry().degree(), problem.form().fields(),
                problem.form().pointSize(space.mesh().dimension()), space.mesh().cells(), rule.precision(),
                how.needsRows(space.element()), products);
        TuningDevice device = TuningDevice.of(backend);
        List<FormResult> known = known(device, setting);
        if (tune) {
            return new Chosen(rule.withChoice(search(how, problem, space, backend, known, setting, console)), "tuning");
        }
        known.removeIf(result -> !allowed.test(result.choice()) && !result.choice().equals(rule.choice()));
        return FormSearch.best(known, rule.choice()).map(best -> new Chosen(rule.withChoice(best), "profile"))
                .orElseGet(() -> new Chosen(rule, "rule"));
    }

    private List<FormResult> known(TuningDevice device, FormSetting setting) throws IOException {
        List<FormResult> known = new ArrayList<>();
        for (Path profile : profiles) {
            known.addAll(Profile.read(profile).formResults(device, setting));
        }
        if (export != null && Files.exists(export)) {
            known.addAll(Profile.read(export).formResults(device, setting));
        }
        return known;
    }

    @SuppressWarnings({"MustBeClosed", "TooManyParameters"}) // the search closes systems
    private FormChoice search(FemOptions how, DegreeMultigrid.Problem problem, FunctionSpace space, Backend backend,
            List<FormResult> known, FormSetting setting, Console console) throws IOException {
        FormOptions rule = how.form(space.element(), problem.form().fields());
        MeshOptions meshOptions = how.meshOptions();
        boolean conflicts = !"1".equals(backend.device().properties().get("threads"));
        FormSpace ways = new FormSpace(rule.choice(), how.allowed(space.element()), conflicts);
        FormSearch search = new FormSearch(choice -> FormSystem.of(problem.form(), problem.constraints().apply(space),
                problem.conditions(), rule.withChoice(choice), backend, meshOptions), ways, setting, backend, known);
        SearchBudget limit = exhaustive
                ? SearchBudget.EXHAUSTIVE
                : budget == null ? SearchBudget.ofSeconds(USUAL_SECONDS) : budget;
        FormChoice best = Usage.get(spec, () -> {
            try {
                return search.run(limit, FormSearch.Listener.NONE);
            } catch (UnsupportedKernelException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        });
        print(search, best, console);
        if (export != null) {
            TuningDevice device = TuningDevice.of(backend);
            new ProfileFile(export).update(profile -> profile.withForms(device, search.results()));
        }
        return best;
    }

    private void print(FormSearch search, FormChoice best, Console console) {
        Table table = new Table(Column.words("storage"), Column.words("formulation"), Column.words("scheme"),
                Column.of("block", Format.NUMBER), Column.of("seconds", Format.of("%.3g")),
                Column.of("set-up", Format.of("%.2g")).in("s"), Column.words(""));
        search.results().stream().sorted(Comparator.comparingDouble(FormResult::medianSeconds)).limit(SHOWN)
                .filter(FormResult::isCorrect)
                .forEach(result -> table.row(result.choice().storage().label(), result.choice().formulation().label(),
                        result.choice().scheme().map(scheme -> scheme.label()).orElse("rule"),
                        result.choice().blockSize() == 0 ? "rule" : Integer.valueOf(result.choice().blockSize()),
                        result.medianSeconds(), result.prepareSeconds(),
                        result.choice().equals(best) ? "taken" : ""));
        console.printText(table.text());
        long wrong = search.results().stream().filter(result -> result.invalidity() == Invalidity.CORRECTNESS).count();
        long failed = search.results().stream().filter(result -> !result.isCorrect()).count() - wrong;
        console.print("%s", search.results().size() + " variants, judged by an assembly and " + products + " products; "
                + failed + " not available" + (wrong == 0 ? "" : ", " + wrong + " have other products"));
    }
}
