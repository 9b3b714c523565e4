package org.trellis.processor.front;

import java.util.List;
import org.trellis.processor.model.ValueType;

/**
 * What a name in a kernel stands for.
 *
 * @param name    the name
 * @param type    the type of the value or of the components
 * @param rank    0 for a scalar, otherwise the number of indices
 * @param lengths the lengths of an array from outside to inside; 0 for one that is not known at compile time
 */
record Symbol(String name, ValueType type, int rank, List<Integer> lengths) {
    static Symbol scalar(String name, ValueType type) {
        return new Symbol(name, type, 0, List.of());
    }
}
