package org.trellis.mesh.partition;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Permutation;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.order.Orderings;

/**
 * Elements in blocks of limited size that share little with each other, and the order of what they share (Sulyok et
 * al.,
 * "Locality optimised unstructured mesh algorithms on GPUs", on partition-based reordering).
 *
 * @param order        where each element goes; within a block, elements keep the order they had
 * @param blockOffsets the first new index of each block, and behind the last block the number of elements. No block is
 *                     empty. Not copied, and not to be changed
 */
public record PartitionOrder(Permutation order, int[] blockOffsets) {
    /** A load imbalance that the built-in partitioner meets as a rule: blocks are 99 % full. */
    public static final double DEFAULT_IMBALANCE = 1.01;

    /** What the tolerance exceeds the block size by; less than 1, so that the block size itself is not exceeded. */
    private static final double EPSILON = 0.5;

    /**
     * Checks that the offsets belong to the order.
     *
     * @throws IllegalArgumentException if the offsets do not end at the size of the order
     */
    public PartitionOrder {
        Checks.length("end of the last block", blockOffsets[blockOffsets.length - 1], order.size());
    }

    /**
     * Divides elements into blocks. The partitioner is asked for parts of S' = ⌊S / l⌋ elements with a tolerance of l'
     * =
     * (S + ½) / S'; if it exceeds the block size S all the same, what is too much goes to neighbouring blocks with
     * room,
     * or else to further blocks.
     *
     * @param elements    the graph of the elements, joined where they touch the same datum ({@link Graph#ofElements})
     * @param blockSize   the most elements of a block, S, at least 1
     * @param imbalance   load imbalance to reckon with, l, at least 1; the nearer to 1, the fuller the blocks and the
     *                    harder to find
     * @param partitioner divides the graph
     * @return blocks of at most {@code blockSize} elements
     * @throws IllegalArgumentException if a number is less than 1 or {@code blockSize / imbalance} is
     */
    public static PartitionOrder of(Graph elements, int blockSize, double imbalance, Partitioner partitioner) {
        Checks.positive("block size", blockSize);
        int reduced = (int) Math.floor(blockSize / imbalance);
        if (!(imbalance >= 1) || reduced < 1) {
            throw new IllegalArgumentException("load imbalance is " + imbalance + ", expected 1 to " + blockSize
                    + ", the block size");
        }
        int parts = Math.max(1, Math.ceilDiv(elements.vertices(), reduced));
        double tolerance = (blockSize + EPSILON) / reduced;
        Partition partition = partitioner.partition(elements, parts, tolerance);
        return inBlocks(new SizeLimit(elements, partition, blockSize).enforced());
    }

    private static PartitionOrder inBlocks(Partition partition) {
        int[] sizes = partition.sizes();
        int[] starts = new int[sizes.length];
        int[] offsets = new int[sizes.length + 1];
        int blocks = 0;
        int count = 0;
        for (int part = 0; part < sizes.length; part++) {
            starts[part] = count;
            count += sizes[part];
            offsets[blocks + 1] = count;
            blocks += sizes[part] > 0 ? 1 : 0;
        }
        int[] newIndices = new int[count];
        for (int v = 0; v < count; v++) {
            newIndices[v] = starts[partition.partOf()[v]]++;
        }
        return new PartitionOrder(Permutation.ofNewIndices(newIndices), Arrays.copyOf(offsets, blocks + 1));
    }

    /**
     * Returns the number of blocks.
     *
     * @return at least 0
     */
    public int blocks() {
        return blockOffsets.length - 1;
    }

    /**
     * Returns the block of each element.
     *
     * @return by old indices, a new array
     */
    public int[] blockOfElements() {
        int[] blockOfNew = new int[order.size()];
        for (int block = 0; block < blocks(); block++) {
            Arrays.fill(blockOfNew, blockOffsets[block], blockOffsets[block + 1], block);
        }
        int[] result = new int[blockOfNew.length];
        for (int v = 0; v < result.length; v++) {
            result[v] = blockOfNew[order.newIndex(v)];
        }
        return result;
    }

    /**
     * Orders the targets of the elements so that those which the same blocks touch come together: by the number of
     * blocks,
     * then by the blocks' indices, then as before. Targets that no element has come first.
     *
     * @param table   targets of the elements by old indices, {@code arity} each
     * @param arity   targets of an element, at least 1
     * @param targets number of targets
     * @return where each target goes
     * @throws IllegalArgumentException if the table has not one row an element or an entry is no target
     */
    public Permutation targetOrder(int[] table, int arity, int targets) {
        Checks.positive("arity", arity);
        Checks.length("number of table entries", table.length, (long) order.size() * arity);
        TouchedBy touched = new TouchedBy(table, arity, targets, blockOfElements());
        int[] countOf = new int[targets];
        int most = 0;
        for (int target = 0; target < targets; target++) {
            countOf[target] = touched.count(target);
            most = Math.max(most, countOf[target]);
        }
        // Stable: the order within a group is that of the targets.
        Permutation byCount = Orderings.lexicographic(countOf, 1, most + 1);
        int[] sorted = byCount.inverse().toArray();
        for (int from = 0; from < targets;) {
            int count = countOf[sorted[from]];
            int to = from;
            while (to < targets && countOf[sorted[to]] == count) {
                to++;
            }
            if (count > 0) {
                sortGroup(sorted, from, to, count, touched);
            }
            from = to;
        }
        return Permutation.ofOldIndices(sorted);
    }

    private void sortGroup(int[] sorted, int from, int to, int count, TouchedBy touched) {
        int[] words = new int[(to - from) * count];
        for (int i = from; i < to; i++) {
            touched.copy(sorted[i], words, (i - from) * count);
        }
        Permutation group = Orderings.lexicographic(words, count, blocks());
        int[] before = Arrays.copyOfRange(sorted, from, to);
        for (int i = 0; i < before.length; i++) {
            sorted[from + group.newIndex(i)] = before[i];
        }
    }

    /** The blocks that touch each target, each once, in no particular order. */
    private static final class TouchedBy {
        private final int[] starts;
        private final int[] ends;
        private final int[] blocks;

        TouchedBy(int[] table, int arity, int targets, int[] blockOf) {
            starts = new int[targets + 1];
            for (int i = 0; i < table.length; i++) {
                if (table[i] < 0 || table[i] >= targets) {
                    throw new IllegalArgumentException("target " + i % arity + " of element " + i / arity + " is "
                            + table[i] + ", expected 0 to " + (targets - 1));
                }
                starts[table[i] + 1]++;
            }
            ParallelRanges.accumulate(starts);
            ends = Arrays.copyOf(starts, targets);
            blocks = new int[table.length];
            for (int i = 0; i < table.length; i++) {
                add(table[i], blockOf[i / arity]);
            }
        }

        private void add(int target, int block) {
            for (int i = starts[target]; i < ends[target]; i++) {
                if (blocks[i] == block) {
                    return;
                }
            }
            blocks[ends[target]++] = block;
        }

        int count(int target) {
            return ends[target] - starts[target];
        }

        void copy(int target, int[] words, int at) {
            System.arraycopy(blocks, starts[target], words, at, count(target));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionOrder that && order.equals(that.order)
                && Arrays.equals(blockOffsets, that.blockOffsets);
    }

    @Override
    public int hashCode() {
        return 31 * order.hashCode() + Arrays.hashCode(blockOffsets);
    }

    @Override
    public String toString() {
        return "order of " + order.size() + " elements in " + blocks() + " blocks";
    }
}
