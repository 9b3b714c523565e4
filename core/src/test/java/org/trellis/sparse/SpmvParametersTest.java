package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class SpmvParametersTest {
    @Test
    void goThroughAMapUnchanged() {
        for (SpmvFamily family : SpmvFamily.values()) {
            SpmvParameters parameters = SpmvParameters.of(family).withCooperatingThreads(8).withRowsPerGroup(4)
                    .withBlockSize(128).withChunks(8, 256).withIndexBits(16).withSimd(true);
            assertEquals(parameters, SpmvParameters.fromMap(parameters.toMap()));
            assertEquals(SpmvParameters.of(family), SpmvParameters.fromMap(Map.of("family", family.label())));
        }
    }

    @Test
    void printOnlyWhatDiffers() {
        assertEquals("sell chunkRows=8 sortingWindow=256 simd=true",
                SpmvParameters.of(SpmvFamily.SELL).withChunks(8, 256).withSimd(true).toString());
        assertEquals("csr", SpmvParameters.of(SpmvFamily.CSR).toString());
    }

    @Test
    void refuseWhatNoBackendCanRun() {
        SpmvParameters csr = SpmvParameters.of(SpmvFamily.CSR);
        refused("cooperatingThreads is 3, expected a power of two", () -> csr.withCooperatingThreads(3));
        refused("cooperatingThreads is 64, expected a power of two", () -> csr.withCooperatingThreads(64));
        refused("rowsPerGroup is 0, expected at least 1", () -> csr.withRowsPerGroup(0));
        refused("indexBits is 8, expected 16 or 32", () -> csr.withIndexBits(8));
        refused("blockSize is -1", () -> csr.withBlockSize(-1));
    }

    @Test
    void refuseUnknownNamesAndTypes() {
        refused("have no family", () -> SpmvParameters.fromMap(Map.of("simd", true)));
        refused("kernel family 'ell' is unknown", () -> SpmvParameters.fromMap(Map.of("family", "ell")));
        refused("parameter 'coop' is unknown", () -> SpmvParameters.fromMap(Map.of("family", "csr", "coop", 2)));
        refused("parameter simd is 1, expected true or false",
                () -> SpmvParameters.fromMap(Map.of("family", "csr", "simd", 1)));
        refused("parameter blockSize is 1.5, expected a whole number",
                () -> SpmvParameters.fromMap(Map.of("family", "csr", "blockSize", 1.5)));
    }

    private static void refused(String message, Runnable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }
}
