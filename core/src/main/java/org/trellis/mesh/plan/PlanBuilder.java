package org.trellis.mesh.plan;

import java.util.Arrays;
import org.trellis.mesh.loop.LoopScheme;

/** Makes plans from conflicts and blocks. Every scheme takes time linear in elements and entries. */
public final class PlanBuilder {
    private PlanBuilder() {}

    /**
     * Cuts consecutive elements into blocks of one size.
     *
     * @param elements  how many elements
     * @param blockSize the size of all blocks but the last, at least 1
     * @return where each block starts, and the number of elements
     */
    public static int[] uniformBlocks(int elements, int blockSize) {
        int blocks = (int) (((long) elements + blockSize - 1) / blockSize);
        int[] offsets = new int[blocks + 1];
        for (int block = 0; block < blocks; block++) {
            offsets[block] = block * blockSize;
        }
        offsets[blocks] = elements;
        return offsets;
    }

    /**
     * Makes a plan.
     *
     * @param scheme       how conflicting elements are kept apart
     * @param conflicts    what elements add to
     * @param blockOffsets where each block of consecutive elements starts, and the number of elements
     * @return the plan
     * @throws IllegalArgumentException if the scheme is {@link LoopScheme#OWNER_COMPUTE} and elements add to more than
     *         one set
     */
    public static LoopPlan plan(LoopScheme scheme, Conflicts conflicts, int[] blockOffsets) {
        int elements = conflicts.elements();
        LoopPlan.Builder plain = LoopPlan.of(scheme, elements, blockOffsets);
        return switch (scheme) {
            case IN_ORDER, TEMPORARY, RECOMPUTE, ATOMICS -> plain.build();
            case TWO_LEVEL -> plain.blockColours(Colouring.ofBlocks(conflicts, blockOffsets)).build();
            case BLOCK_PERMUTE -> {
                Colouring inside = Colouring.within(conflicts, blockOffsets);
                yield plain.blockColours(Colouring.ofBlocks(conflicts, blockOffsets)).elementColours(inside)
                        .order(permuted(inside, blockOffsets)).build();
            }
            case FULL_PERMUTE -> fullPermute(conflicts, blockOffsets);
            case OWNER_COMPUTE -> ownerCompute(conflicts, blockOffsets.length - 1);
        };
    }

    private static int[] permuted(Colouring colouring, int[] blockOffsets) {
        int[] order = new int[colouring.colours().length];
        int[] next = new int[colouring.count() + 1];
        for (int block = 0; block + 1 < blockOffsets.length; block++) {
            Arrays.fill(next, 0);
            for (int e = blockOffsets[block]; e < blockOffsets[block + 1]; e++) {
                next[colouring.colours()[e] + 1]++;
            }
            next[0] = blockOffsets[block];
            for (int colour = 0; colour < colouring.count(); colour++) {
                next[colour + 1] += next[colour];
            }
            for (int e = blockOffsets[block]; e < blockOffsets[block + 1]; e++) {
                order[next[colouring.colours()[e]]++] = e;
            }
        }
        return order;
    }

    private static LoopPlan fullPermute(Conflicts conflicts, int[] given) {
        int elements = conflicts.elements();
        int blockSize = given.length < 2 ? 1 : Math.max(1, (elements + given.length - 2) / (given.length - 1));
        Colouring colouring = Colouring.ofElements(conflicts);
        int[] colourStarts = colouring.offsets();
        int[] blockOffsets = new int[colouring.count() + (elements / blockSize) + 1];
        int[] colourOffsets = new int[colouring.count() + 1];
        int blocks = 0;
        for (int colour = 0; colour < colouring.count(); colour++) {
            for (int at = colourStarts[colour]; at < colourStarts[colour + 1]; at += blockSize) {
                blockOffsets[blocks++] = at;
            }
            colourOffsets[colour + 1] = blocks;
        }
        blockOffsets[blocks] = elements;
        return LoopPlan.of(LoopScheme.FULL_PERMUTE, elements, Arrays.copyOf(blockOffsets, blocks + 1))
                .order(colouring.sorted()).colourOffsets(colourOffsets).elementColours(colouring).build();
    }

    private static LoopPlan ownerCompute(Conflicts conflicts, int blocks) {
        if (conflicts.tables().size() != 1) {
            throw new IllegalArgumentException("elements add to " + conflicts.tables().size()
                    + " sets, expected one for owner-compute");
        }
        TargetTable table = conflicts.tables().getFirst();
        int targets = table.targets();
        int[] owned = new int[blocks + 1];
        int[] ownerOf = new int[targets];
        for (int block = 0; block < blocks; block++) {
            owned[block + 1] = (int) ((long) targets * (block + 1) / blocks);
            Arrays.fill(ownerOf, owned[block], owned[block + 1], block);
        }
        int[] offsets = new int[blocks + 1];
        OwnerLists lists = new OwnerLists(table, ownerOf, blocks);
        for (int e = 0; e < conflicts.elements(); e++) {
            for (int i = lists.owners(e) - 1; i >= 0; i--) {
                offsets[lists.owner(i) + 1]++;
            }
        }
        for (int block = 0; block < blocks; block++) {
            offsets[block + 1] += offsets[block];
        }
        int[] next = offsets.clone();
        int[] order = new int[offsets[blocks]];
        lists = new OwnerLists(table, ownerOf, blocks);
        for (int e = 0; e < conflicts.elements(); e++) {
            for (int i = lists.owners(e) - 1; i >= 0; i--) {
                order[next[lists.owner(i)]++] = e;
            }
        }
        return LoopPlan.of(LoopScheme.OWNER_COMPUTE, conflicts.elements(), offsets).order(order).owned(owned).build();
    }

    /** The distinct owners of an element's targets; the first block for an element without targets. */
    private static final class OwnerLists {
        private final TargetTable table;
        private final int[] ownerOf;
        private final int[] seenBy;
        private int[] found = new int[16];

        OwnerLists(TargetTable table, int[] ownerOf, int blocks) {
            this.table = table;
            this.ownerOf = ownerOf;
            this.seenBy = new int[blocks];
            Arrays.fill(seenBy, -1);
        }

        int owners(int element) {
            int entries = table.entries(element);
            if (entries == 0) {
                found[0] = 0;
                return 1;
            }
            if (found.length < entries) {
                found = new int[2 * entries];
            }
            table.list(element, found, 0);
            int count = 0;
            for (int i = 0; i < entries; i++) {
                int owner = ownerOf[found[i]];
                if (seenBy[owner] != element) {
                    seenBy[owner] = element;
                    found[count++] = owner;
                }
            }
            return count;
        }

        int owner(int index) {
            return found[index];
        }
    }
}
