package org.trellis.tuner.product.online;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.profile.ProfileException;

final class TunedProductsTest {
    @Test
    void whatWasFoundIsTheFirstGuessTheNextTime(@TempDir Path folder) throws IOException {
        CsrMatrix matrix = AwkwardMatrices.stencil(40, 30, Precision.F64, TestSeed.random("whatWasFound"));
        Path file = folder.resolve("profile.json");
        SpmvParameters found;
        try (TunedProducts products = TunedProducts.open(file)) {
            found = products.tune(matrix);
            products.save("stencil");
        }
        assertTrue(Files.size(file) > 0);
        try (TunedProducts again = TunedProducts.open(file); TunedSpmvOperator product = again.prepare(matrix)) {
            assertEquals(AdviceOrigin.PROFILE, product.advice().origin());
            assertEquals(found, product.parameters());
        }
    }

    @Test
    void filesThatAreNoProfilesAreRefused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("profile.json"), "nothing");
        assertThrows(ProfileException.class, () -> open(file));
    }

    @SuppressWarnings("MustBeClosed") // refused before anything is open
    private static void open(Path file) throws IOException {
        TunedProducts.open(file);
    }
}
