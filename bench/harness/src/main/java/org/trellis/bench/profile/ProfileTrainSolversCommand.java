package org.trellis.bench.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.console.Usage;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.SolverSweepFile;
import org.trellis.tuner.solver.SolverChoice;
import org.trellis.tuner.solver.SolverModel;
import org.trellis.tuner.train.SolverTrainer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Learns a first guess of solvers from sweeps. */
@Command(name = "train-solvers", sortOptions = false, description = {
    "Learns which solver to begin with from what 'trellis tune --solve --exhaustive --json' wrote, and prints how well "
            + "it chooses for families of systems that it was not learnt from.",
    "A family is the letters that a system's name begins with: poisson2d and poisson3d are one."})
final class ProfileTrainSolversCommand implements Callable<Integer> {
    /** What counts as the share of a choice that was cut off or did not solve the system. */
    private static final double LEAST_SHARE = 0.1;

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Sweeps of solvers, as JSON.")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--output", paramLabel = "FILE", description = "Write the model.")
    private Path output;

    ProfileTrainSolversCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Usage.check(spec, () -> OutputFile.check("--output", output));
        SolverSweepFile swept = SolverSweepFile.read(files);
        List<SolverTrainer.Case> cases = swept.cases();
        SolverTrainer trainer = new SolverTrainer(SolverTrainer.USUAL);
        List<SolverTrainer.Judged> judged = trainer.leaveOneFamilyOut(cases);
        print(judged);
        SolverModel model = trainer.train(cases);
        if (output != null) {
            OutputFile.write(output, model.toText());
            console.print("%s written to %s", model, output);
        }
        return ExitCode.OK;
    }

    private void print(List<SolverTrainer.Judged> judged) {
        double logarithms = 0;
        double autoLogarithms = 0;
        for (SolverTrainer.Judged one : judged) {
            logarithms += Math.log(Math.max(LEAST_SHARE, one.share()));
            autoLogarithms += Math.log(Math.max(LEAST_SHARE, one.system().share(SolverChoice.AUTO)));
        }
        SolverTrainer.Judged worst = judged.stream().min(Comparator.comparingDouble(SolverTrainer.Judged::share))
                .orElseThrow();
        console.print("leaving one family out, %d systems: %s of the best (geometric mean), %s at least (%s); auto %s",
                judged.size(), Numbers.percent(Math.exp(logarithms / judged.size())), Numbers.percent(worst.share()),
                worst.system().name(), Numbers.percent(Math.exp(autoLogarithms / judged.size())));
        console.print("a choice that was cut off or did not solve counts as %s; %d did not",
                Numbers.percent(LEAST_SHARE), judged.stream().filter(one -> one.share() == 0).count());
        console.print("regret, time lost over the best's: %s on average; %d of %d by rules, since far from the others",
                Numbers.percent(judged.stream().mapToDouble(one -> 1 / Math.max(LEAST_SHARE, one.share()) - 1).average()
                        .orElse(0)),
                judged.stream().filter(one -> !one.byModel()).count(), judged.size());
        judged.forEach(one -> console.print("  %-48s %6s  %s%s", one.system().name(), Numbers.percent(one.share()),
                one.chosen(), one.byModel() ? "" : " (rules)"));
    }
}
