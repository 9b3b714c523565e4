package org.trellis.tuner.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.tuner.solver.SolverChoice.Renewal;

/** Choices as values, and the space of them. */
class SolverSpaceTest {
    private static List<SolverSpace.Traits> traits() {
        List<SolverSpace.Traits> all = new ArrayList<>();
        for (boolean symmetric : new boolean[]{true, false}) {
            for (boolean positive : new boolean[]{true, false}) {
                for (int block : new int[]{1, 3}) {
                    for (boolean whole : new boolean[]{true, false}) {
                        all.add(new SolverSpace.Traits(5000, symmetric, positive, block, whole, !whole));
                    }
                }
            }
        }
        return all;
    }

    @Test
    void everyChoiceIsAValueThatCanBeWrittenAndRead() {
        for (SolverSpace.Traits one : traits()) {
            List<SolverChoice> all = SolverSpace.of(one).all();
            assertTrue(all.size() >= 15 && all.size() <= SolverSpace.MOST, () -> all.size() + " for " + one);
            assertEquals(all.size(), new HashSet<>(all).size(), "no choice twice");
            for (SolverChoice choice : all) {
                assertEquals(choice, SolverChoice.parse(choice.toString()));
                assertEquals(choice, SolverChoice.fromMap(choice.toMap()));
            }
        }
    }

    @Test
    void propertiesOfTheMatrixLimitIt() {
        for (SolverSpace.Traits one : traits()) {
            for (SolverChoice choice : SolverSpace.of(one).all()) {
                boolean forSymmetric = choice.stack().filter(stack -> !stack.isAutomatic())
                        .map(stack -> stack.krylovMethod().needsSymmetric()).orElse(false);
                assertTrue(one.symmetric() || !forSymmetric, () -> choice + " for " + one);
                assertFalse(!one.whole() && choice.family().equals("direct"), () -> choice + " for " + one);
                assertFalse(one.single() && choice.stack().map(stack -> stack.mixedPrecision()).orElse(false));
            }
        }
    }

    @Test
    void neighboursDifferInOneParameter() {
        SolverSpace space = SolverSpace.of(new SolverSpace.Traits(5000, true, true, 1, true, false));
        SolverChoice choice = SolverChoice.parse("cg with ssor(omega=1.2, order=natural)");
        List<SolverChoice> near = space.neighbours(choice, 1);
        assertTrue(near.contains(SolverChoice.parse("cg with ssor(omega=1.4, order=natural)")));
        assertTrue(near.contains(SolverChoice.parse("cg with ssor(omega=1.2, order=coloured)")));
        assertFalse(near.contains(SolverChoice.parse("cg with ssor(omega=1.4, order=coloured)")));
        assertFalse(near.contains(choice));
    }

    @Test
    void refusesWhatIsNoChoice() {
        for (String text : List.of("", "cg with", "cg with jacobi(omega)", "cg with jacobi(omega=1, omega=2)",
                "auto, kept", "direct, kept", "cg with pixies", "cg(restart=3) with none")) {
            assertThrows(IllegalArgumentException.class, () -> SolverChoice.parse(text), text);
        }
        assertThrows(IllegalArgumentException.class, () -> SolverChoice.fromMap(Map.of("method", "cg")));
        assertThrows(IllegalArgumentException.class,
                () -> SolverChoice.fromMap(Map.of("method", "cg", "preconditioner", "none", "shoe", 3)));
        assertThrows(IllegalArgumentException.class,
                () -> SolverChoice.fromMap(Map.of("method", "cg", "preconditioner", "amg", "renewal", "never")));
        assertEquals(Renewal.GROWN, SolverChoice.parse("cg with direct, kept").renewal());
    }
}
