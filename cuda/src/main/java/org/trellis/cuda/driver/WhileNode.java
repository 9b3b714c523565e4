package org.trellis.cuda.driver;

import java.util.Objects;

/**
 * A part of a graph that is run again and again.
 *
 * @param node      the part as a node of the graph
 * @param body      the graph of what is run, to which kernels are added
 * @param condition what a kernel calls {@code cudaGraphSetConditional} with
 */
public record WhileNode(NativeHandle node, NativeHandle body, long condition) {
    /** Checks that there is something. */
    public WhileNode {
        Objects.requireNonNull(node);
        Objects.requireNonNull(body);
    }
}
