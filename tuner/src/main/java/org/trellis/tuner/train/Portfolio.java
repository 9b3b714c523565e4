package org.trellis.tuner.train;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.trellis.sparse.SpmvParameters;

/**
 * Chooses a few sets of parameters of which one is good on every matrix: greedily, each time the one that raises the
 * mean share of the best most. The share is a monotone submodular function of the chosen sets, so greed reaches at
 * least 1 − 1/e of what the best choice would (G. Nemhauser, L. Wolsey, M. Fisher, Mathematical Programming 14, 1978).
 */
final class Portfolio {
    private Portfolio() {}

    static List<SpmvParameters> choose(TrainingSet set, int count) {
        Set<SpmvParameters> all = new LinkedHashSet<>();
        set.cases().forEach(one -> one.seconds().keySet().stream()
                .sorted((a, b) -> a.toString().compareTo(b.toString())).forEach(all::add));
        List<SpmvParameters> left = new ArrayList<>(all);
        int cases = set.cases().size();
        double[][] shares = new double[left.size()][cases];
        for (int k = 0; k < shares.length; k++) {
            for (int i = 0; i < cases; i++) {
                shares[k][i] = set.cases().get(i).share(left.get(k));
            }
        }
        double[] reached = new double[cases];
        boolean[] taken = new boolean[shares.length];
        List<SpmvParameters> chosen = new ArrayList<>();
        while (chosen.size() < Math.min(count, shares.length)) {
            int best = best(shares, taken, reached);
            taken[best] = true;
            chosen.add(left.get(best));
            for (int i = 0; i < cases; i++) {
                reached[i] = Math.max(reached[i], shares[best][i]);
            }
        }
        return chosen;
    }

    private static int best(double[][] shares, boolean[] taken, double[] reached) {
        int best = -1;
        double most = -1;
        for (int k = 0; k < shares.length; k++) {
            if (!taken[k]) {
                double gain = 0;
                for (int i = 0; i < reached.length; i++) {
                    gain += Math.max(0, shares[k][i] - reached[i]);
                }
                if (gain > most) {
                    most = gain;
                    best = k;
                }
            }
        }
        return best;
    }
}
