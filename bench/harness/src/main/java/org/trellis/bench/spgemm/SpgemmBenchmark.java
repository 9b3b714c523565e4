package org.trellis.bench.spgemm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.bench.measure.Schedule;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.bench.report.SpgemmRow;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.MatrixNorms;

/** Times products of sparse matrices: each contender in turn, in rounds whose order is drawn from a seed. */
final class SpgemmBenchmark {
    private static final int LEAST_ROUNDS = 5;
    private static final int MOST_ROUNDS = 200;
    private static final long SEED = 20261122;

    private final double seconds;
    private final ProgressListener progress;

    SpgemmBenchmark(double seconds, ProgressListener progress) {
        this.seconds = seconds;
        this.progress = progress;
    }

    /** A contender that is ready. */
    record Contender(String name, int threads, TimedMatrixProduct product) {}

    /** Measures contenders, the first of which the results of the others are compared with. */
    List<SpgemmRow> run(List<Contender> contenders) {
        contenders.forEach(contender -> contender.product().run());
        List<List<Double>> samples = new ArrayList<>();
        contenders.forEach(contender -> samples.add(new ArrayList<>()));
        List<List<Integer>> schedule = Schedule.rounds(contenders.size(), MOST_ROUNDS, SEED);
        double spent = 0;
        for (int round = 0; round < MOST_ROUNDS
                && (round < LEAST_ROUNDS || spent < seconds * samples.size()); round++) {
            progress.progress("multiply", round, MOST_ROUNDS);
            for (int index : schedule.get(round)) {
                TimedMatrixProduct product = contenders.get(index).product();
                double took = product.seconds();
                samples.get(index).add(took);
                spent += took;
                linger(product.lingerMilliseconds());
            }
        }
        CsrMatrix expected = contenders.getFirst().product().result();
        List<SpgemmRow> rows = new ArrayList<>();
        for (int c = 0; c < contenders.size(); c++) {
            CsrMatrix result = contenders.get(c).product().result();
            boolean same = Arrays.equals(expected.rowLengths(), result.rowLengths())
                    && expected.combine(1, result, 1).nonZeros() == expected.nonZeros();
            double size = MatrixNorms.max(expected);
            double error = MatrixNorms.max(expected.combine(1, result, -1));
            rows.add(new SpgemmRow(contenders.get(c).name(), contenders.get(c).threads(), result.nonZeros(), same,
                    size == 0 ? error : error / size,
                    samples.get(c).stream().mapToDouble(Double::doubleValue).toArray()));
        }
        return rows;
    }

    /** Waits until no threads look for work any more. */
    private static void linger(int milliseconds) {
        if (milliseconds > 0) {
            try {
                Thread.sleep(milliseconds);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
