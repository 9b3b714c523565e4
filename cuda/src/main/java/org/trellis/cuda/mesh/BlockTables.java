package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.kernel.Access;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.mesh.plan.LocalNumbering;
import org.trellis.mesh.plan.LoopPlan;
import org.trellis.mesh.plan.LoopPlans;

/** The blocks of a plan as a launch wants them: by position in the execution list, with places in shared memory. */
final class BlockTables {
    private static final int BYTE_COLOURS = 255;

    private final LoopTables tables;
    private final LoopPlan plan;
    private final boolean listed;
    private final Colours colours;
    private final Map<MeshSet, Numbering> numberings = new LinkedHashMap<>();

    /**
     * The colours of elements within their blocks.
     *
     * @param positions byte[] or short[], the colour at each position of the execution list
     * @param counts    the number of colours of each block
     * @param most      the greatest number
     */
    record Colours(Object positions, int[] counts, int most) {
        String type() {
            return positions instanceof byte[] ? "const unsigned char" : "const unsigned short";
        }
    }

    /**
     * The targets of blocks in one set, and the columns whose targets have places.
     *
     * @param local   targets and places
     * @param columns the columns, in the order of the places
     */
    record Numbering(LocalNumbering local, List<int[]> columns) {}

    private record ColoursKey(LoopPlan plan, boolean listed) {}

    private record NumberingKey(LoopPlan plan, boolean listed, MeshSet to, List<int[]> columns) {}

    private BlockTables(LoopTables tables, LoopForm form, LoopPlan plan) {
        this.tables = tables;
        this.plan = plan;
        this.listed = form.listed();
        this.colours = form.coloured() ? derivedColours(form) : null;
        if (form.stageReads() || form.increments() == LoopForm.Increments.SHARED) {
            makeNumberings(form);
        }
    }

    /** Makes or finds the tables of a loop whose form has blocks or a list. */
    static BlockTables of(LoopTables tables, LoopForm form, LoopParameters parameters) {
        LoopScheme scheme = switch (form.increments()) {
            case OWNED -> LoopScheme.OWNER_COMPUTE;
            case COLOURED, SHARED -> LoopScheme.BLOCK_PERMUTE;
            default -> form.listed() ? LoopScheme.FULL_PERMUTE : LoopScheme.IN_ORDER;
        };
        return new BlockTables(tables, form, LoopPlans.of(tables.loop(), scheme, parameters.blockSize()));
    }

    private LoopDeclaration loop() {
        return tables.loop();
    }

    LoopPlan plan() {
        return plan;
    }

    /** Returns the execution list, or null if elements run in their order. */
    int[] order() {
        return listed ? plan.order() : null;
    }

    Colours colours() {
        return colours;
    }

    Map<MeshSet, Numbering> numberings() {
        return numberings;
    }

    /** Returns the greatest number of targets of a block in a set. */
    int capacity(MeshSet to, LoopForm.Increments increments) {
        if (increments != LoopForm.Increments.OWNED) {
            return numberings.get(to).local().largest();
        }
        int most = 0;
        for (int block = 0; block < plan.blocks(); block++) {
            most = Math.max(most, plan.ownedOffsets()[block + 1] - plan.ownedOffsets()[block]);
        }
        return most;
    }

    /** Returns the number of elements of the largest block. */
    int largestBlock() {
        int most = 0;
        for (int block = 0; block < plan.blocks(); block++) {
            most = Math.max(most, plan.blockOffsets()[block + 1] - plan.blockOffsets()[block]);
        }
        return most;
    }

    private Colours derivedColours(LoopForm form) {
        return loop().set().mesh().derived(new ColoursKey(plan, listed), Colours.class,
                () -> packed(form.increments() == LoopForm.Increments.OWNED ? ownedColours() : planColours()));
    }

    private int[] planColours() {
        int[] elements = plan.elementColours().colours();
        if (!listed) {
            return elements;
        }
        int[] sorted = new int[elements.length];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = elements[plan.order()[i]];
        }
        return sorted;
    }

    private Colours packed(int[] byPosition) {
        int[] counts = new int[plan.blocks()];
        int most = 0;
        for (int block = 0; block < counts.length; block++) {
            for (int i = plan.blockOffsets()[block]; i < plan.blockOffsets()[block + 1]; i++) {
                counts[block] = Math.max(counts[block], byPosition[i] + 1);
            }
            most = Math.max(most, counts[block]);
        }
        if (most > Character.MAX_VALUE) {
            throw new IllegalArgumentException(loop() + " needs " + most + " colours within a block, expected at most "
                    + (int) Character.MAX_VALUE + "; smaller blocks have fewer");
        }
        if (most <= BYTE_COLOURS) {
            byte[] bytes = new byte[byPosition.length];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) byPosition[i];
            }
            return new Colours(bytes, counts, most);
        }
        short[] shorts = new short[byPosition.length];
        for (int i = 0; i < shorts.length; i++) {
            shorts[i] = (short) byPosition[i];
        }
        return new Colours(shorts, counts, most);
    }

    /** First fit, among the elements of a block, at the targets that the block owns; 64 colours in a pass. */
    private int[] ownedColours() {
        List<int[]> columns = incrementColumns(null);
        int[] owned = plan.ownedOffsets();
        long[] masks = new long[owned[owned.length - 1]];
        int[] found = new int[plan.executed()];
        Arrays.fill(found, -1);
        for (int block = 0; block < plan.blocks(); block++) {
            int left = plan.blockOffsets()[block + 1] - plan.blockOffsets()[block];
            for (int pass = 0; left > 0; pass += Long.SIZE) {
                Arrays.fill(masks, owned[block], owned[block + 1], 0);
                for (int i = plan.blockOffsets()[block]; i < plan.blockOffsets()[block + 1]; i++) {
                    if (found[i] < 0) {
                        int bit = freeColour(columns, plan.order()[i], masks, owned[block], owned[block + 1]);
                        found[i] = bit < 0 ? -1 : pass + bit;
                        left -= bit < 0 ? 0 : 1;
                    }
                }
            }
        }
        return found;
    }

    private static int freeColour(List<int[]> columns, int element, long[] masks, int first, int end) {
        long taken = 0;
        for (int[] column : columns) {
            int target = column[element];
            taken |= target >= first && target < end ? masks[target] : 0;
        }
        if (taken == -1L) {
            return -1;
        }
        int bit = Long.numberOfTrailingZeros(~taken);
        for (int[] column : columns) {
            int target = column[element];
            if (target >= first && target < end) {
                masks[target] |= 1L << bit;
            }
        }
        return bit;
    }

    /** Returns the columns through which the loop adds, to a set or to all. */
    private List<int[]> incrementColumns(MeshSet to) {
        List<int[]> columns = new ArrayList<>();
        for (int a = 0; a < loop().arity(); a++) {
            if (tables.addsToShared(a) && (to == null || loop().dat(a).set().equals(to))) {
                addAbsent(columns, tables.columns(a));
            }
        }
        return columns;
    }

    @SuppressWarnings("ReferenceEquality")
    private static void addAbsent(List<int[]> known, List<int[]> more) {
        for (int[] column : more) {
            if (known.stream().noneMatch(other -> other == column)) {
                known.add(column);
            }
        }
    }

    private void makeNumberings(LoopForm form) {
        Map<MeshSet, List<int[]>> columns = new LinkedHashMap<>();
        for (int a = 0; a < loop().arity(); a++) {
            boolean adds = tables.addsToShared(a) && form.increments() == LoopForm.Increments.SHARED;
            boolean reads = form.stageReads() && loop().map(a) != null && loop().access(a) == Access.READ;
            if ((adds || reads) && !tables.columns(a).isEmpty()) {
                addAbsent(columns.computeIfAbsent(loop().dat(a).set(), set -> new ArrayList<>()), tables.columns(a));
            }
        }
        columns.forEach((to, list) -> numberings.put(to, new Numbering(loop().set().mesh().derived(
                new NumberingKey(plan, listed, to, List.copyOf(list)), LocalNumbering.class,
                () -> LocalNumbering.of(to.size(), plan.blockOffsets(), order(), list.toArray(int[][]::new))), list)));
    }
}
