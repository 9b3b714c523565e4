package org.trellis.tuner.product;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.FailingBackend;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.product.online.TunedMatrices;
import org.trellis.tuner.product.online.TunedSpmvOperator;
import org.trellis.tuner.product.search.ProductMeter;
import org.trellis.tuner.profile.Profile;

/** What tuning has allocated is given back when an allocation fails. */
class TunedAllocationsTest {
    private static final CsrMatrix MATRIX = CsrMatrix.identity(9, Precision.F64);

    @Test
    void meters() {
        FailingBackend.failEach(backend -> new ProductMeter(backend, MATRIX, 1));
    }

    /** Rehearsals, which happen once in a process and allocate, too, are over before. */
    @Test
    void tunedProducts() {
        try (FailingBackend backend = new FailingBackend(); TunedSpmvOperator rehearsed = tuned(backend)) {
            assertEquals(MATRIX, rehearsed.matrix());
        }
        FailingBackend.failEach(backend -> tuned(backend));
    }

    /** A variant that is not available is passed over. */
    @Test
    void goesOnWithWhatItHas() {
        try (FailingBackend backend = new FailingBackend()) {
            for (int n = 1; n <= 3; n++) {
                try (TunedSpmvOperator product = tuned(backend)) {
                    backend.failAt(n, new OutOfMemoryError());
                    HostVector y = HostVector.zeros(Precision.F64, 9);
                    for (int run = 0; run < 20; run++) {
                        product.multiply(HostVector.of(Precision.F64, 9, i -> i), y);
                        assertEquals(8, y.get(8));
                    }
                    backend.failNoMore();
                }
                assertEquals(Map.of(), backend.open());
            }
        }
    }

    @MustBeClosed
    private static TunedSpmvOperator tuned(FailingBackend backend) {
        return new TunedMatrices(backend, new Advisor(backend, List.of(Profile.empty())), TuningSettings.DEFAULT)
                .prepare(MATRIX);
    }
}
