package org.trellis.cuda.mesh;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.trellis.common.ParallelRanges;
import org.trellis.mesh.Mesh;

/**
 * Where the contributions of each target are stored, through all maps that lead to it: a list for each target, in which
 * {@code ~place} stands for a contribution that is subtracted.
 *
 * @param offsets target t has the places {@code places[offsets[t]]} to {@code places[offsets[t + 1] - 1]}
 * @param places  indices of stored elements
 */
record SignedInverse(int[] offsets, int[] places) {
    private static final int TARGETS_PER_TASK = 1 << 16;

    private record Key(List<int[]> columns, List<Integer> firsts, List<Integer> signs) {}

    /**
     * Makes or finds the inverse of some columns. Costs two passes.
     *
     * @param mesh    keeps it
     * @param targets the number of targets
     * @param columns the target of each element
     * @param firsts  where the contributions through each column start
     * @param signs   1 or −1 for each column
     * @return the inverse; columns in their order for each target
     */
    static SignedInverse of(Mesh mesh, int targets, List<int[]> columns, List<Integer> firsts, List<Integer> signs) {
        return mesh.derived(new Key(List.copyOf(columns), List.copyOf(firsts), List.copyOf(signs)),
                SignedInverse.class, () -> make(targets, columns, firsts, signs));
    }

    private static SignedInverse make(int targets, List<int[]> columns, List<Integer> firsts, List<Integer> signs) {
        int[] offsets = new int[targets + 1];
        // Each thread looks through all columns for its own targets: no two write to one place.
        int grain = Math.max(TARGETS_PER_TASK, Math.ceilDiv(targets, ForkJoinPool.getCommonPoolParallelism()));
        ParallelRanges.run(targets, grain, (from, to) -> {
            for (int[] column : columns) {
                for (int target : column) {
                    if (target >= from && target < to) {
                        offsets[target + 1]++;
                    }
                }
            }
        });
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] next = offsets.clone();
        int[] places = new int[offsets[targets]];
        ParallelRanges.run(targets, grain, (from, to) -> {
            for (int c = 0; c < columns.size(); c++) {
                int[] column = columns.get(c);
                int first = firsts.get(c);
                boolean negative = signs.get(c) < 0;
                for (int e = 0; e < column.length; e++) {
                    int target = column[e];
                    if (target >= from && target < to) {
                        places[next[target]++] = negative ? ~(first + e) : first + e;
                    }
                }
            }
        });
        return new SignedInverse(offsets, places);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return "inverse of " + (offsets.length - 1) + " targets and " + places.length + " places";
    }
}
