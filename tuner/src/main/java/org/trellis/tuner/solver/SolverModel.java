package org.trellis.tuner.solver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.model.TreeEnsemble;

/**
 * Ranks choices for a system by its features: trees that predict how much slower each of some candidates is than the
 * best. Knows how far a system is from those that it was learnt from. Evaluating it needs no learning library.
 *
 * <p>As text: a line with the name of the format, then lines of a name and values, see {@link #toText}.
 */
public final class SolverModel {
    private static final String FORMAT = "trellis-solver-model 2";
    private static final String RESOURCE = "solvers.txt";
    /** A system is far if its nearest neighbour is farther by so much than those of the systems themselves. */
    private static final double FAR = 1.5;
    /** Standard deviations, of all features together, within which systems are alike in any case. */
    private static final double ALIKE = 0.5;

    private final List<SolverChoice> candidates;
    private final double[][] cases;
    private final double[] deviations;
    private final double reach;
    private final double sparseFill;
    private final TreeEnsemble trees;

    /**
     * A choice with its predicted slow-down.
     *
     * @param choice   the choice
     * @param slowdown its time over that of the best, at least 1
     */
    public record Ranked(SolverChoice choice, double slowdown) {}

    /**
     * Makes a model.
     *
     * @param candidates what it ranks
     * @param cases      the feature vectors that it was learnt from
     * @param sparseFill entries of a factor for each one of the matrix up to which a factorisation is the choice
     * @param trees      predict the natural logarithms of slow-downs of the candidates
     * @throws IllegalArgumentException if there is no candidate or no case, or numbers do not fit
     */
    public SolverModel(List<SolverChoice> candidates, double[][] cases, double sparseFill, TreeEnsemble trees) {
        int inputs = SystemFeatures.vectorNames().size();
        if (candidates.isEmpty() || cases.length == 0 || trees.outputs() != candidates.size()
                || trees.inputs() != inputs || Arrays.stream(cases).anyMatch(one -> one.length != inputs)) {
            throw new IllegalArgumentException("a model of " + candidates.size() + " candidates, " + cases.length
                    + " cases and trees of " + trees.inputs() + " inputs and " + trees.outputs()
                    + " outputs, expected " + inputs + " inputs, and candidates and cases");
        }
        this.candidates = List.copyOf(candidates);
        this.cases = Arrays.stream(cases).map(double[]::clone).toArray(double[][]::new);
        this.sparseFill = sparseFill;
        this.trees = trees;
        this.deviations = deviations(cases, inputs);
        this.reach = reach();
    }

    private static double[] deviations(double[][] cases, int inputs) {
        double[] result = new double[inputs];
        for (int k = 0; k < inputs; k++) {
            int feature = k;
            double mean = Arrays.stream(cases).mapToDouble(one -> one[feature]).average().orElse(0);
            double square = Arrays.stream(cases).mapToDouble(one -> Math.pow(one[feature] - mean, 2)).average()
                    .orElse(0);
            result[k] = Math.max(1e-3, Math.sqrt(square));
        }
        return result;
    }

    /** The distance within which nine of ten cases have another one. */
    private double reach() {
        double[] nearest = IntStream.range(0, cases.length).mapToDouble(i -> nearest(cases[i], i)).sorted().toArray();
        return cases.length < 2
                ? Double.POSITIVE_INFINITY
                : Math.max(ALIKE, nearest[(9 * nearest.length - 1) / 10]);
    }

    private double nearest(double[] vector, int leftOut) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < cases.length; i++) {
            if (i != leftOut) {
                double sum = 0;
                for (int k = 0; k < vector.length; k++) {
                    sum += Math.pow((vector[k] - cases[i][k]) / deviations[k], 2);
                }
                least = Math.min(least, sum);
            }
        }
        return Math.sqrt(least);
    }

    /**
     * Returns the model that comes with the library.
     *
     * @return the model; empty if there is none
     */
    public static Optional<SolverModel> ofLibrary() {
        return Holder.MODEL;
    }

    /** Read at the first use and kept. */
    private static final class Holder {
        private static final Optional<SolverModel> MODEL = load();

        private Holder() {}

        private static Optional<SolverModel> load() {
            try (InputStream input = SolverModel.class.getResourceAsStream(RESOURCE)) {
                return input == null
                        ? Optional.empty()
                        : Optional.of(parse(new String(input.readAllBytes(), StandardCharsets.UTF_8)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Returns what it ranks.
     *
     * @return the candidates
     */
    public List<SolverChoice> candidates() {
        return candidates;
    }

    /**
     * Says up to which fill a factorisation is the choice, whatever else a system is like.
     *
     * @return entries of a factor for each one of the matrix
     */
    public double sparseFill() {
        return sparseFill;
    }

    /**
     * Says how far a system is from those that the model was learnt from.
     *
     * @param features of the system
     * @return the distance of the nearest over that within which most have one; above {@value #FAR} predictions are
     *         guesses
     */
    public double distance(SystemFeatures features) {
        return nearest(features.vector(), -1) / reach;
    }

    /**
     * Says whether a system is unlike all that the model was learnt from.
     *
     * @param features of the system
     * @return true if rules should choose
     */
    public boolean isFar(SystemFeatures features) {
        return distance(features) > FAR;
    }

    /**
     * Chooses for a system, as a tuned solver does that begins by this model.
     *
     * @param features of the system
     * @return a choice that suits the matrix
     */
    public SolverChoice choose(SystemFeatures features) {
        return FirstGuess.byFeatures(Optional.of(this), features, space(features)).order().getFirst();
    }

    private static SolverSpace space(SystemFeatures features) {
        return SolverSpace.of(new SolverSpace.Traits(features.rows(), features.symmetric() == 1,
                features.positiveDiagonal() == 1, (int) features.blockSize(), true, false));
    }

    /**
     * Ranks the candidates.
     *
     * @param features of the system
     * @return all candidates, the fastest first, whether or not they suit the matrix
     */
    public List<Ranked> ranking(SystemFeatures features) {
        double[] logarithms = new double[candidates.size()];
        trees.predict(features.vector(), logarithms);
        return IntStream.range(0, logarithms.length)
                .mapToObj(i -> new Ranked(candidates.get(i), Math.exp(logarithms[i])))
                .sorted(Comparator.comparingDouble(Ranked::slowdown)).toList();
    }

    /**
     * Writes the model.
     *
     * @return text, for {@link #parse}
     */
    public String toText() {
        StringJoiner lines = new StringJoiner("\n", "", "\n");
        lines.add(FORMAT);
        lines.add("features " + String.join(" ", SystemFeatures.vectorNames()));
        candidates.forEach(choice -> lines.add("candidate " + choice));
        for (double[] one : cases) {
            lines.add("case " + join(one));
        }
        lines.add("sparse-fill " + sparseFill);
        lines.add("step " + trees.leafStep());
        lines.add("roots " + join(trees.roots()));
        lines.add("asked " + join(trees.features()));
        lines.add("thresholds " + join(trees.thresholds()));
        lines.add("children " + join(trees.children()));
        lines.add("leaves " + Base64.getEncoder().encodeToString(trees.leaves()));
        return lines.toString();
    }

    private static String join(double... numbers) {
        return Arrays.stream(numbers).mapToObj(Double::toString).collect(Collectors.joining(" "));
    }

    private static String join(int... numbers) {
        return Arrays.stream(numbers).mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }

    /**
     * Reads a model.
     *
     * @param text as {@link #toText} writes it
     * @return the model
     * @throws IllegalArgumentException if it is none, of another version, or damaged; names the line
     */
    public static SolverModel parse(String text) {
        Parts parts = new Parts();
        int number = 0;
        try {
            for (String line : text.lines().toList()) {
                number++;
                parts.read(line, number == 1);
            }
            return parts.model();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("model of solvers, line " + number + ": " + e.getMessage(), e);
        }
    }

    /** What was read so far. */
    private static final class Parts {
        private final List<SolverChoice> candidates = new ArrayList<>();
        private final List<double[]> cases = new ArrayList<>();
        private double sparseFill;
        private double step;
        private int[] roots = {};
        private int[] asked = {};
        private double[] thresholds = {};
        private int[] children = {};
        private byte[] leaves = {};

        void read(String line, boolean first) {
            if (first) {
                require(line.equals(FORMAT), line, FORMAT);
                return;
            }
            int space = line.indexOf(' ');
            require(space > 0, line, "a name and values");
            String values = line.substring(space + 1);
            switch (line.substring(0, space)) {
                case "features" -> require(values.equals(String.join(" ", SystemFeatures.vectorNames())), values,
                        "the features of this version, " + SystemFeatures.vectorNames());
                case "candidate" -> candidates.add(SolverChoice.parse(values));
                case "case" -> cases.add(doubles(values));
                case "sparse-fill" -> sparseFill = doubles(values)[0];
                case "step" -> step = doubles(values)[0];
                case "roots" -> roots = ints(values);
                case "asked" -> asked = ints(values);
                case "thresholds" -> thresholds = doubles(values);
                case "children" -> children = ints(values);
                case "leaves" -> leaves = Base64.getDecoder().decode(values);
                default -> require(false, line.substring(0, space), "a part of a model");
            }
        }

        private static void require(boolean holds, String found, String expected) {
            if (!holds) {
                throw new IllegalArgumentException("'" + found + "', expected " + expected);
            }
        }

        private static double[] doubles(String text) {
            return Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
        }

        private static int[] ints(String text) {
            return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
        }

        SolverModel model() {
            require(!candidates.isEmpty(), "no candidate", "candidates");
            return new SolverModel(candidates, cases.toArray(double[][]::new), sparseFill,
                    new TreeEnsemble(SystemFeatures.vectorNames().size(), candidates.size(), roots, asked, thresholds,
                            children, leaves, step));
        }
    }

    @Override
    public String toString() {
        return "model of " + candidates.size() + " solvers, learnt from " + cases.length + " systems";
    }
}
