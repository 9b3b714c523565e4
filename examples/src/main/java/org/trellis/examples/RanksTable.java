package org.trellis.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.solve.multigrid.NamedPreconditioners;

/**
 * Prints the iterations of the examples that solve systems, with everything that one rank takes, on one rank and on
 * several: the table of {@code docs/reference/ranks-solvers.md}. Run it by hand, since it takes minutes; the tests of
 * the examples and of finite elements over ranks check the same on fewer cases.
 *
 * <p>Arguments: where to run besides one rank, such as {@code 4} for as many threads and {@code 4:mpirun.mpich} for
 * processes that a launcher of MPI starts; and words one of which the name of a case has to contain, by default any.
 */
public final class RanksTable {
    private static final List<String> CYCLES = List.of("v", "w", "f", "k");

    /** A command with what is the same on any number of ranks. */
    private record Case(String name, List<String> command, ToDoubleFunction<JsonNode> solution) {
        Case with(String more, String... options) {
            List<String> all = new ArrayList<>(command);
            all.addAll(List.of(options));
            return new Case(name + more, all, solution);
        }
    }

    /** Where a command runs; one rank without a launcher. */
    private record Place(int ranks, String launcher) {
        List<String> prefix() {
            if (ranks == 1) {
                return List.of();
            }
            List<String> run = new ArrayList<>(List.of("run", "--ranks", Integer.toString(ranks)));
            if (!launcher.isEmpty()) {
                run.addAll(List.of("--transport", "mpi", "--mpirun", launcher));
            }
            return run;
        }

        @Override
        public String toString() {
            return launcher.isEmpty() ? Integer.toString(ranks) : ranks + ", " + launcher;
        }
    }

    /** What a command found, or why it refused. */
    private record Outcome(int iterations, double solution, String refusal) {
        boolean isRefused() {
            return !refusal.isEmpty();
        }

        /** Iterations, with the relative distance of the solution's figure if it is more than solvers leave. */
        String against(Outcome one) {
            if (isRefused()) {
                return "refused";
            }
            double apart = Math.abs(solution - one.solution) / Math.max(1e-300, Math.abs(one.solution));
            return iterations + (apart > 1e-5 ? String.format(Locale.ROOT, " (apart %.0e)", apart) : "");
        }
    }

    private RanksTable() {}

    /**
     * Runs everything and prints a line for each case.
     *
     * @param arguments where, besides one rank, and what
     * @throws IOException if results cannot be read
     */
    public static void start(String... arguments) throws IOException {
        System.setProperty("trellis.distributed.product", "reproducible");
        List<Place> places = new ArrayList<>(List.of(new Place(1, "")));
        List<String> wanted = new ArrayList<>();
        for (String argument : arguments) {
            if (!Character.isDigit(argument.charAt(0))) {
                wanted.add(argument);
                continue;
            }
            String[] words = argument.split(":", 2);
            places.add(new Place(Integer.parseInt(words[0]), words.length == 1 ? "" : words[1]));
        }
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        out.println("| case | " + String.join(" | ", places.stream().map(Place::toString).toList()) + " |");
        out.println("| --- |" + " ---: |".repeat(places.size()));
        for (Case each : cases()) {
            if (wanted.isEmpty() || wanted.stream().anyMatch(each.name()::contains)) {
                out.println(row(each, places));
            }
        }
    }

    private static String row(Case each, List<Place> places) throws IOException {
        List<String> cells = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        Outcome one = null;
        for (Place place : places) {
            Outcome outcome = run(each, place);
            one = one == null ? outcome : one;
            cells.add(outcome.against(one));
            if (outcome.isRefused()) {
                refusals.add(outcome.refusal());
            }
            if (one.isRefused()) {
                break;
            }
        }
        String why =
                refusals.isEmpty() ? "" : "  <!-- " + String.join("; ", refusals.stream().distinct().toList()) + " -->";
        return "| " + each.name() + " | " + String.join(" | ", cells) + " |" + why;
    }

    private static Outcome run(Case each, Place place) throws IOException {
        Path json = Files.createTempFile("ranks", ".json");
        try {
            List<String> words = new ArrayList<>(place.prefix());
            words.addAll(each.command());
            words.addAll(List.of("--json", json.toString()));
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            int code = TrellisCommand.run(new Console(new PrintWriter(out, true), new PrintWriter(err, true), false),
                    words.toArray(String[]::new));
            if (code != 0 || Files.size(json) == 0) {
                String why = Arrays.stream(err.toString().split("\n")).filter(line -> line.startsWith("trellis:"))
                        .findFirst().orElse("exit code " + code);
                return new Outcome(0, 0, why.strip());
            }
            JsonNode root = new ObjectMapper().readTree(json.toFile());
            JsonNode run = root.get("runs").get(0);
            return new Outcome(run.get("iterations").asInt(), each.solution().applyAsDouble(run), "");
        } finally {
            Files.delete(json);
        }
    }

    private static List<Case> cases() {
        List<Case> all = new ArrayList<>();
        Case mesh = new Case("`poisson-mesh`, ", List.of("example", "poisson-mesh", "square:n=6,shake=0.2", "--refine",
                "2", "--tolerance", "1e-10"), run -> run.get("meanError").asDouble());
        for (String preconditioner : List.of("none", "jacobi", "chebyshev")) {
            all.add(mesh.with("matrix-free, " + preconditioner, "--solver", "matrix-free", "--preconditioner",
                    preconditioner));
        }
        for (String preconditioner : NamedPreconditioners.names()) {
            all.add(mesh.with("assembled, " + preconditioner, "--solver", "assembled", "--preconditioner",
                    preconditioner));
        }
        for (String cycle : CYCLES) {
            all.add(mesh.with("multigrid, " + cycle, "--solver", "multigrid", "--cycle", cycle));
        }
        all.add(mesh.with("multigrid, v, alone", "--solver", "multigrid", "--alone"));
        Case poisson = new Case("`poisson`, ", List.of("example", "poisson", "quads:n=12", "--degree", "2", "--distort",
                "--form", "variable"), run -> run.get("errorL2").asDouble());
        Case elasticity = new Case("`elasticity`, ", List.of("example", "elasticity", "quads:n=8", "--degree", "2"),
                run -> 0);
        for (Case forms : List.of(poisson, elasticity)) {
            for (String preconditioner : NamedPreconditioners.names()) {
                all.add(forms.with("csr, " + preconditioner, "--storage", "csr", "--preconditioner", preconditioner));
            }
            for (String preconditioner : List.of("none", "jacobi", "block-jacobi", "chebyshev", "ssor", "p-multigrid",
                    "geometric")) {
                all.add(forms.with("local-matrices, " + preconditioner, "--storage", "local-matrices",
                        "--preconditioner", preconditioner));
            }
            all.add(forms.with("csr, p-multigrid", "--storage", "csr", "--preconditioner", "p-multigrid"));
            all.add(forms.with("csr, geometric", "--storage", "csr", "--preconditioner", "geometric"));
        }
        return all;
    }
}
