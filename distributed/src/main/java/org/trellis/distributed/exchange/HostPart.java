package org.trellis.distributed.exchange;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.trellis.mesh.device.HaloPart;
import org.trellis.mesh.device.ScalarType;

/** The part of a message that has elements of one operand: copies them from it or to it. */
final class HostPart {
    private final HostOperand operand;
    private final PartPositions places;
    private final PartValues values;
    /** The same bytes as whole numbers; null unless components have eight bytes. */
    private final PartValues longs;

    HostPart(HaloPart part, HostOperand operand, ByteBuffer message) {
        this.operand = operand;
        places = PartPositions.of(part.places(), part.components());
        ByteBuffer bytes = message.slice(part.offset(), part.bytes()).order(ByteOrder.nativeOrder());
        values = switch (part.type()) {
            case F64 -> new DoublePartValues(bytes.asDoubleBuffer());
            case F32 -> new FloatPartValues(bytes.asFloatBuffer());
            case INT -> new IntPartValues(bytes.asIntBuffer());
        };
        longs = part.type() == ScalarType.F64 ? new LongPartValues(bytes.asLongBuffer()) : null;
    }

    private PartValues values(Object array) {
        return array instanceof long[] && longs != null ? longs : values;
    }

    /** Says whether the components of an element lie side by side, and elements as well. */
    private boolean isDense() {
        return operand.elementStride() == places.components()
                && (operand.componentStride() == 1 || places.components() == 1);
    }

    void pack() {
        Object array = operand.array();
        if (!isDense()) {
            values(array).packStrided(places, operand);
        } else if (places.starts() != null) {
            values(array).packRuns(places, operand);
        } else if (places.components() == 1) {
            values(array).packSingle(places.elements(), array, operand.offset());
        } else {
            values(array).packStrided(places, operand);
        }
    }

    void unpack() {
        Object array = operand.array();
        if (!isDense()) {
            values(array).unpackStrided(places, operand);
        } else if (places.starts() != null) {
            values(array).unpackRuns(places, operand);
        } else if (places.components() == 1) {
            values(array).unpackSingle(places.elements(), array, operand.offset());
        } else {
            values(array).unpackStrided(places, operand);
        }
    }

    void add() {
        values(operand.array()).addStrided(places, operand);
    }
}
