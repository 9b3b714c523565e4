package org.trellis.cuda.mesh;

/**
 * The C of one argument of a loop: where its element is loaded from, what the kernel gets, where it goes afterwards.
 * Statements are in terms of {@link LoopOperands#ELEMENT} and of the variables that {@link LoopOperands} names for
 * columns of maps.
 */
interface ArgumentCode {
    /** Declares what outlives the element: registers of increments that are added later. */
    default void declare(SourceText out) {}

    /** Prepares what the kernel gets. */
    default void load(SourceText out) {}

    /** Returns what the kernel gets. */
    String pass();

    /** Returns the distance between the components of what the kernel gets. */
    default String stride() {
        return "1";
    }

    /** Stores what the kernel wrote, and folds what it reduced. */
    default void store(SourceText out) {}

    /** Adds increments to where they belong. The thread is alone there. */
    default void apply(SourceText out) {}
}
