package org.trellis.mesh.plan;

import java.util.Arrays;
import org.trellis.mesh.loop.LoopScheme;

/**
 * Checks that a plan runs every element and lets no conflict happen (Giles 2012, section 3.7). Costs about as much as
 * making the plan.
 */
public final class PlanChecker {
    private final LoopPlan plan;
    private final Conflicts conflicts;

    private PlanChecker(LoopPlan plan, Conflicts conflicts) {
        this.plan = plan;
        this.conflicts = conflicts;
    }

    /**
     * Checks a plan.
     *
     * @param plan      the plan
     * @param conflicts what the elements of its loop add to
     * @throws IllegalStateException if the plan is wrong; names what and where
     */
    public static void check(LoopPlan plan, Conflicts conflicts) {
        PlanChecker checker = new PlanChecker(plan, conflicts);
        checker.checkBlocks();
        if (plan.scheme() == LoopScheme.OWNER_COMPUTE) {
            checker.checkOwners();
        } else {
            checker.checkEachElementOnce();
        }
        switch (plan.scheme()) {
            case IN_ORDER, TEMPORARY, OWNER_COMPUTE, RECOMPUTE, ATOMICS -> {
                // Nothing that runs at once adds to a common place, or it does so atomically.
            }
            case TWO_LEVEL -> checker.checkBlockColours();
            case BLOCK_PERMUTE -> {
                checker.checkBlockColours();
                checker.checkElementColours(true);
            }
            case FULL_PERMUTE -> checker.checkElementColours(false);
        }
    }

    /**
     * Checks that a local numbering leads back to the targets that it was made from.
     *
     * @param numbering    the numbering
     * @param blockOffsets the blocks that it was made for
     * @param order        the execution list, or null
     * @param columns      the columns that it was made from
     * @throws IllegalStateException if a place leads elsewhere; names it
     */
    public static void checkNumbering(LocalNumbering numbering, int[] blockOffsets, int[] order, int[]... columns) {
        for (int block = 0; block + 1 < blockOffsets.length; block++) {
            int start = numbering.targetOffsets()[block];
            int end = numbering.targetOffsets()[block + 1];
            for (int t = start + 1; t < end; t++) {
                require(numbering.targets()[t] > numbering.targets()[t - 1],
                        "targets " + numbering.targets()[t - 1] + " and " + numbering.targets()[t] + " of block "
                                + block + " do not rise");
            }
            for (int c = 0; c < columns.length; c++) {
                for (int i = blockOffsets[block]; i < blockOffsets[block + 1]; i++) {
                    int element = order == null ? i : order[i];
                    int place = numbering.place(c, i);
                    require(place < end - start && numbering.targets()[start + place] == columns[c][element],
                            "column " + c + " of element " + element + " in block " + block + " has place " + place
                                    + ", which does not lead to target " + columns[c][element]);
                }
            }
        }
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException("plan is wrong: " + message);
        }
    }

    private int element(int position) {
        return plan.order() == null ? position : plan.order()[position];
    }

    private void checkBlocks() {
        int[] offsets = plan.blockOffsets();
        require(plan.elements() == conflicts.elements(),
                "it has " + plan.elements() + " elements, the loop has " + conflicts.elements());
        require(offsets[0] == 0, "block 0 starts at " + offsets[0]);
        for (int block = 0; block < plan.blocks(); block++) {
            require(offsets[block + 1] >= offsets[block],
                    "block " + block + " runs from " + offsets[block] + " to " + offsets[block + 1]);
        }
        int listed = plan.order() == null ? plan.elements() : plan.order().length;
        require(plan.executed() == listed,
                "blocks end at " + plan.executed() + ", the execution list has " + listed + " elements");
        boolean[] seen = new boolean[plan.blocks()];
        require(plan.blockMap().length == plan.blocks(), "the block map has " + plan.blockMap().length
                + " blocks, not " + plan.blocks());
        for (int block : plan.blockMap()) {
            require(!seen[block], "block " + block + " has two colours");
            seen[block] = true;
        }
        int[] colours = plan.colourOffsets();
        require(colours[0] == 0 && colours[plan.colours()] == plan.blocks(), "colours cover blocks " + colours[0]
                + " to " + colours[plan.colours()] + " of the map, not all " + plan.blocks());
    }

    private void checkEachElementOnce() {
        boolean[] seen = new boolean[plan.elements()];
        for (int i = 0; i < plan.executed(); i++) {
            require(!seen[element(i)], "element " + element(i) + " runs twice");
            seen[element(i)] = true;
        }
        for (int e = 0; e < seen.length; e++) {
            require(seen[e], "element " + e + " does not run");
        }
    }

    private void checkBlockColours() {
        for (TargetTable table : conflicts.tables()) {
            int[] blockOf = new int[table.targets()];
            int[] colourOf = new int[table.targets()];
            Arrays.fill(colourOf, -1);
            for (int colour = 0; colour < plan.colours(); colour++) {
                for (int b = plan.colourOffsets()[colour]; b < plan.colourOffsets()[colour + 1]; b++) {
                    int block = plan.blockMap()[b];
                    for (int i = plan.blockOffsets()[block]; i < plan.blockOffsets()[block + 1]; i++) {
                        for (int target : targets(table, element(i))) {
                            require(colourOf[target] != colour || blockOf[target] == block, "blocks "
                                    + blockOf[target] + " and " + block + " of colour " + colour + " share target "
                                    + target);
                            colourOf[target] = colour;
                            blockOf[target] = block;
                        }
                    }
                }
            }
        }
    }

    private static int[] targets(TargetTable table, int element) {
        int[] list = new int[table.entries(element)];
        table.list(element, list, 0);
        return list;
    }

    /** Elements of one colour (in one block, or at all) share no target; the list has them colour by colour. */
    private void checkElementColours(boolean inBlocks) {
        int[] colours = plan.elementColours().colours();
        for (TargetTable table : conflicts.tables()) {
            int[] run = new int[table.targets()];
            int[] toucher = new int[table.targets()];
            Arrays.fill(run, -1);
            int current = 0;
            for (int i = 0; i < plan.executed(); i++) {
                int e = element(i);
                boolean first = i == 0 || (inBlocks && startsBlock(i));
                if (!first) {
                    int step = colours[e] - colours[element(i - 1)];
                    require(step >= 0, "element " + e + " of colour " + colours[e] + " comes after a higher colour");
                    current += step == 0 ? 0 : 1;
                } else {
                    current++;
                }
                for (int target : targets(table, e)) {
                    require(run[target] != current || toucher[target] == e, "elements " + toucher[target] + " and " + e
                            + " of colour " + colours[e] + " share target " + target);
                    run[target] = current;
                    toucher[target] = e;
                }
            }
        }
        if (!inBlocks) {
            checkOneColourAtOnce(colours);
        }
    }

    private boolean startsBlock(int position) {
        return Arrays.binarySearch(plan.blockOffsets(), position) >= 0;
    }

    private void checkOneColourAtOnce(int[] colours) {
        for (int colour = 0; colour < plan.colours(); colour++) {
            for (int b = plan.colourOffsets()[colour]; b < plan.colourOffsets()[colour + 1]; b++) {
                int block = plan.blockMap()[b];
                for (int i = plan.blockOffsets()[block]; i < plan.blockOffsets()[block + 1]; i++) {
                    require(colours[element(i)] == colour, "element " + element(i) + " of colour "
                            + colours[element(i)] + " runs with colour " + colour);
                }
            }
        }
    }

    /** Each target has one owner, and the owner runs each element that touches the target, once. */
    private void checkOwners() {
        TargetTable table = conflicts.tables().getFirst();
        int[] owned = plan.ownedOffsets();
        require(plan.blocks() == 0 || (owned[0] == 0 && owned[plan.blocks()] == table.targets()),
                "targets " + owned[0] + " to " + owned[plan.blocks()] + " are owned, not all " + table.targets());
        int[] lastBlock = new int[plan.elements()];
        Arrays.fill(lastBlock, -1);
        long[] reached = new long[plan.elements()];
        for (int block = 0; block < plan.blocks(); block++) {
            require(owned[block + 1] >= owned[block], "block " + block + " owns targets " + owned[block] + " to "
                    + owned[block + 1]);
            for (int i = plan.blockOffsets()[block]; i < plan.blockOffsets()[block + 1]; i++) {
                int e = element(i);
                require(lastBlock[e] != block, "element " + e + " runs twice in block " + block);
                lastBlock[e] = block;
                for (int target : targets(table, e)) {
                    reached[e] += target >= owned[block] && target < owned[block + 1] ? 1 : 0;
                }
            }
        }
        for (int e = 0; e < plan.elements(); e++) {
            require(lastBlock[e] >= 0, "element " + e + " does not run");
            require(reached[e] == table.entries(e), "of " + table.entries(e) + " additions of element " + e + ", "
                    + reached[e] + " are applied");
        }
    }
}
