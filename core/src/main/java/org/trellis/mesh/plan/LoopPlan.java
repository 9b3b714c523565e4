package org.trellis.mesh.plan;

import org.trellis.mesh.loop.LoopScheme;

/**
 * In which order and in which groups the elements of a loop are run. A plan has an execution list of elements (all in
 * their order, or {@link #order}), cut into blocks; blocks have colours, and blocks of one colour may run at once.
 *
 * <p>Arrays are not copied; they are not changed.
 */
public final class LoopPlan {
    private final LoopScheme scheme;
    private final int elements;
    private final int[] blockOffsets;
    private final int[] order;
    private final int[] blockMap;
    private final int[] colourOffsets;
    private final Colouring elementColours;
    private final int[] ownedOffsets;

    private LoopPlan(Builder builder) {
        scheme = builder.scheme;
        elements = builder.elements;
        blockOffsets = builder.blockOffsets;
        order = builder.order;
        blockMap = builder.blockMap;
        colourOffsets = builder.colourOffsets;
        elementColours = builder.elementColours;
        ownedOffsets = builder.ownedOffsets;
    }

    /**
     * Returns the scheme.
     *
     * @return how conflicting elements are kept apart
     */
    public LoopScheme scheme() {
        return scheme;
    }

    /**
     * Returns the number of elements of the set.
     *
     * @return at least 0
     */
    public int elements() {
        return elements;
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
     * Returns where each block starts in the execution list.
     *
     * @return one more than there are blocks
     */
    public int[] blockOffsets() {
        return blockOffsets;
    }

    /**
     * Returns the execution list.
     *
     * @return elements; null if they run in their order
     */
    public int[] order() {
        return order;
    }

    /**
     * Returns the number of elements that are run.
     *
     * @return the length of the execution list, redundant elements included
     */
    public int executed() {
        return blockOffsets[blockOffsets.length - 1];
    }

    /**
     * Returns the number of block colours.
     *
     * @return how many groups of blocks run one after the other
     */
    public int colours() {
        return colourOffsets.length - 1;
    }

    /**
     * Returns where each colour starts in {@link #blockMap}.
     *
     * @return one more than there are colours
     */
    public int[] colourOffsets() {
        return colourOffsets;
    }

    /**
     * Returns the blocks grouped by colour.
     *
     * @return every block once
     */
    public int[] blockMap() {
        return blockMap;
    }

    /**
     * Returns the colours of elements under {@link LoopScheme#BLOCK_PERMUTE} and {@link LoopScheme#FULL_PERMUTE}.
     *
     * @return a colour for each element, or null
     */
    public Colouring elementColours() {
        return elementColours;
    }

    /**
     * Returns where the targets that each block owns start, under {@link LoopScheme#OWNER_COMPUTE}.
     *
     * @return one more than there are blocks, or null
     */
    public int[] ownedOffsets() {
        return ownedOffsets;
    }

    @Override
    public String toString() {
        return scheme.label() + " plan of " + elements + " elements in " + blocks() + " blocks of " + colours()
                + " colours";
    }

    static Builder of(LoopScheme scheme, int elements, int... blockOffsets) {
        return new Builder(scheme, elements, blockOffsets);
    }

    /** Collects the parts of a plan; without others, all blocks have one colour and elements run in their order. */
    static final class Builder {
        private final LoopScheme scheme;
        private final int elements;
        private final int[] blockOffsets;
        private int[] order;
        private int[] blockMap;
        private int[] colourOffsets;
        private Colouring elementColours;
        private int[] ownedOffsets;

        private Builder(LoopScheme scheme, int elements, int[] blockOffsets) {
            this.scheme = scheme;
            this.elements = elements;
            this.blockOffsets = blockOffsets;
            int blocks = blockOffsets.length - 1;
            blockMap = new int[blocks];
            for (int block = 0; block < blocks; block++) {
                blockMap[block] = block;
            }
            colourOffsets = blocks == 0 ? new int[]{0} : new int[]{0, blocks};
        }

        Builder order(int... list) {
            order = list;
            return this;
        }

        Builder blockColours(Colouring colouring) {
            blockMap = colouring.sorted();
            colourOffsets = colouring.offsets();
            return this;
        }

        Builder blockMap(int... map) {
            blockMap = map;
            return this;
        }

        Builder colourOffsets(int... offsets) {
            colourOffsets = offsets;
            return this;
        }

        Builder elementColours(Colouring colouring) {
            elementColours = colouring;
            return this;
        }

        Builder owned(int... offsets) {
            ownedOffsets = offsets;
            return this;
        }

        LoopPlan build() {
            return new LoopPlan(this);
        }
    }
}
