package org.trellis.bench.scaling;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.trellis.bench.scaling.ScalingReport.Case;
import org.trellis.bench.scaling.ScalingReport.Variant;

/**
 * From which size on more ranks are faster, for matrices of one generator.
 *
 * @param family   what the matrices are sizes of
 * @param title    what was done, and what times were compared of
 * @param ranks    the number of ranks
 * @param fewest   the number that it is compared with
 * @param plain    entries from which on it is faster with one ring; see {@link #of} for the ends
 * @param chosen   the same with the rings that were chosen; not a number if none were
 * @param smallest the fewest entries that were tried
 * @param largest  the most entries that were tried
 */
public record Crossover(String family, String title, int ranks, int fewest, double plain, double chosen,
        long smallest, long largest) {
    /**
     * Finds all of them. Between two sizes, the logarithm of the gain is taken to grow linearly in that of the size.
     * 0 stands for the smallest size and all others, infinity for none of the sizes.
     *
     * @param report measurements of strong scaling
     * @return one for each family of at least two sizes, program and number of ranks but the fewest
     */
    public static List<Crossover> of(ScalingReport report) {
        Map<List<Object>, List<Case>> groups = new LinkedHashMap<>();
        for (Case each : report.cases()) {
            if (each.refusal() == null && report.base(each).ranks() < each.ranks()) {
                groups.computeIfAbsent(List.of(each.family(), each.title(), each.ranks()),
                        key -> new ArrayList<>()).add(each);
            }
        }
        List<Crossover> found = new ArrayList<>();
        for (List<Case> group : groups.values()) {
            group.sort(Comparator.comparingLong(Case::nonZeros));
            Case first = group.getFirst();
            if (group.size() > 1) {
                found.add(new Crossover(first.family(), first.title(), first.ranks(),
                        report.base(first).ranks(), size(report, group, Case::plain),
                        size(report, group, Case::chosen), first.nonZeros(), group.getLast().nonZeros()));
            }
        }
        return found;
    }

    /** The size after the last at which more ranks are slower. */
    private static double size(ScalingReport report, List<Case> group, Function<Case, Optional<Variant>> variant) {
        double[] gains = group.stream()
                .mapToDouble(each -> variant.apply(each).map(taken -> report.speedUp(each, taken)).orElse(Double.NaN))
                .toArray();
        int slower = gains.length - 1;
        while (slower >= 0 && gains[slower] >= 1) {
            slower--;
        }
        if (slower < 0) {
            return 0;
        }
        if (Double.isNaN(gains[slower])) {
            return Double.NaN;
        }
        if (slower == gains.length - 1) {
            return Double.POSITIVE_INFINITY;
        }
        double low = Math.log((double) group.get(slower).nonZeros());
        double high = Math.log((double) group.get(slower + 1).nonZeros());
        double before = Math.log(gains[slower]);
        return Math.exp(low + (high - low) * -before / (Math.log(gains[slower + 1]) - before));
    }
}
