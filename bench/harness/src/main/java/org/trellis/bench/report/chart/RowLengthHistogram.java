package org.trellis.bench.report.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts of rows by length: a bin for each length while there are few, else bins that grow by a constant ratio, with
 * the empty rows in a bin of their own.
 *
 * @param bins        the bins in increasing order, without gaps
 * @param logarithmic whether they grow
 */
record RowLengthHistogram(List<Bin> bins, boolean logarithmic) {
    private static final int MOST_SINGLE_LENGTHS = 120;
    private static final double RATIO = 1.25;

    /**
     * Rows of some lengths.
     *
     * @param from shortest length
     * @param to   length after the longest
     * @param rows how many rows
     */
    record Bin(int from, int to, long rows) {}

    static RowLengthHistogram of(int[] lengths) {
        int longest = 0;
        for (int length : lengths) {
            longest = Math.max(longest, length);
        }
        boolean logarithmic = longest > MOST_SINGLE_LENGTHS;
        List<Integer> edges = logarithmic ? growingEdges(longest) : singleEdges(longest);
        long[] counts = new long[edges.size() - 1];
        for (int length : lengths) {
            counts[binOf(edges, length)]++;
        }
        List<Bin> bins = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            bins.add(new Bin(edges.get(i), edges.get(i + 1), counts[i]));
        }
        return new RowLengthHistogram(List.copyOf(bins), logarithmic);
    }

    private static List<Integer> singleEdges(int longest) {
        List<Integer> edges = new ArrayList<>();
        for (int edge = 0; edge <= longest + 1; edge++) {
            edges.add(edge);
        }
        return edges;
    }

    private static List<Integer> growingEdges(int longest) {
        List<Integer> edges = new ArrayList<>(List.of(0, 1));
        while (edges.getLast() <= longest) {
            edges.add((int) Math.max(edges.getLast() + 1, Math.ceil(edges.getLast() * RATIO)));
        }
        return edges;
    }

    private static int binOf(List<Integer> edges, int length) {
        int low = 0;
        int high = edges.size() - 1;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (edges.get(middle) <= length) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns where the first bin with rows begins, so that a picture need not begin at 0; 0 if there are no rows. */
    int shortest() {
        return bins.stream().filter(bin -> bin.rows() > 0).mapToInt(Bin::from).findFirst().orElse(0);
    }

    int end() {
        return bins.getLast().to();
    }

    long largestCount() {
        return bins.stream().mapToLong(Bin::rows).max().orElse(0);
    }

    /** Returns the smallest count of a bin that has rows, 1 if there are no rows. */
    long smallestCount() {
        return bins.stream().mapToLong(Bin::rows).filter(rows -> rows > 0).min().orElse(1);
    }
}
