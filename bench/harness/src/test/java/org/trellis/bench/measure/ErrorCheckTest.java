package org.trellis.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/** A matrix of two rows, {@code (1, -2)} and an empty one, with x = (3, 1). */
class ErrorCheckTest {
    private static final double U = 0x1p-53;

    private static ErrorCheck check() {
        CsrMatrix matrix = new CsrBuilder(2, Precision.F64, 2).add(0, 1).add(1, -2).endRow().endRow().build();
        return ErrorCheck.of(matrix, HostVector.of(3.0, 1.0));
    }

    @Test
    void acceptsTheRightAnswer() {
        ErrorCheck.Verdict verdict = check().judge(HostVector.of(1.0, 0.0));
        assertTrue(verdict.accepted());
        assertEquals(0, verdict.backwardError());
    }

    @Test
    void scalesTheErrorByTheMagnitudeOfTheTerms() {
        ErrorCheck.Verdict verdict = check().judge(HostVector.of(1 + 10 * U, 0));
        assertTrue(verdict.accepted());
        assertEquals(10 * U / 5, verdict.backwardError());
        assertEquals(2, verdict.inRoundoffs());
    }

    @Test
    void acceptsUpToTwiceTheNumberOfOperations() {
        // Two entries: 2 (2 + 1) u * 5 = 30 u.
        assertTrue(check().judge(HostVector.of(1 + 30 * U, 0)).accepted());
        assertFalse(check().judge(HostVector.of(1 + 32 * U, 0)).accepted());
    }

    @Test
    void namesTheFirstWrongRow() {
        ErrorCheck.Verdict verdict = check().judge(HostVector.of(1.0, 1e-300));
        assertFalse(verdict.accepted());
        assertEquals(1, verdict.firstWrong());
        assertTrue(verdict.explanation().contains("row 1 is 1.0E-300, expected 0.0"), verdict.explanation());
    }

    @Test
    void rejectsWhatIsNotANumber() {
        assertFalse(check().judge(HostVector.of(Double.NaN, 0)).accepted());
        assertFalse(check().judge(HostVector.of(Double.POSITIVE_INFINITY, 0)).accepted());
    }

    @Test
    void expectsInfinitiesWhereTheReferenceHasThem() {
        CsrMatrix matrix = new CsrBuilder(1, Precision.F64, 1).add(0, Double.POSITIVE_INFINITY).endRow().build();
        ErrorCheck check = ErrorCheck.of(matrix, HostVector.of(-1.0));
        assertTrue(check.judge(HostVector.of(Double.NEGATIVE_INFINITY)).accepted());
        assertFalse(check.judge(HostVector.of(Double.POSITIVE_INFINITY)).accepted());
        assertFalse(check.judge(HostVector.of(0.0)).accepted());
    }

    @Test
    void usesTheRoundoffOfTheResult() {
        CsrMatrix matrix = new CsrBuilder(1, Precision.F32, 1).add(0, 3).endRow().build();
        ErrorCheck check = ErrorCheck.of(matrix, HostVector.of(1f));
        assertEquals(4 / 3.0, check.judge(HostVector.of(Math.nextUp(3f))).inRoundoffs(), 1e-12);
    }

    @Test
    void rejectsAWrongLength() {
        ErrorCheck check = check();
        assertThrows(IllegalArgumentException.class, () -> check.judge(HostVector.of(1.0)));
    }
}
