package org.trellis.fem;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.space.StructuredMeshes;

final class StructuredMeshesTest {
    /** Also where products of sizes have more than 64 bits, and where coordinates fit but cells do not. */
    @ParameterizedTest
    @EnumSource(ElementShape.class)
    void hugeMeshesAreRefusedBeforeAnythingIsAllocated(ElementShape shape) {
        for (int n : new int[]{32_000, 46_341, 2_642_246, Integer.MAX_VALUE}) {
            String message = assertThrows(IllegalArgumentException.class,
                    () -> StructuredMeshes.unit(shape, n, UnaryOperator.identity())).getMessage();
            assertTrue(message.matches("c.* of a mesh needs an array of [0-9]+ elements, expected at most [0-9]+"),
                    message);
        }
    }
}
