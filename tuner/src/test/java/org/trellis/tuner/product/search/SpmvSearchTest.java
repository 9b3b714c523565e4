package org.trellis.tuner.product.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.KernelCompilationException;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;
import org.trellis.tuner.FakeBackend;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.TuningResult;

/** Searches with and without a budget, on a device with a clock of its own and on the host. */
class SpmvSearchTest {
    private static final SpmvParameters BEST =
            FakeBackend.RULE.withRowsPerGroup(1).withCooperatingThreads(32).withBlockSize(256);

    private final CsrMatrix matrix =
            AwkwardMatrices.all(Precision.F64, TestSeed.random("search")).get("uneven rows");
    private final List<TuningResult> heard = new ArrayList<>();

    private static double seconds(SpmvParameters parameters) {
        return 1e-6 * (1 + Math.abs(Integer.numberOfTrailingZeros(parameters.cooperatingThreads()) - 5)
                + Integer.numberOfTrailingZeros(parameters.rowsPerGroup()) + (parameters.blockSize() == 256 ? 0 : 0.5));
    }

    private SpmvSearch search(Backend backend, SearchBudget budget, List<TuningResult> known) {
        try (ProductMeter meter = new ProductMeter(backend, matrix, 1)) {
            SpmvSearch search = new SpmvSearch(meter, matrix, Fingerprint.of(matrix), known);
            search.run(new Advisor(backend, List.of()).advise(matrix), budget, 7,
                    (result, best, done, total) -> heard.add(result));
            return search;
        }
    }

    @Test
    void exhaustiveSearchMeasuresEverythingOnce() {
        FakeBackend backend = new FakeBackend(SpmvSearchTest::seconds);
        SpmvSearch search = search(backend, SearchBudget.EXHAUSTIVE, List.of());
        int space = backend.kernels(SparseKernels.class).parameterSpace(matrix).size();
        assertEquals(space, search.results().size());
        assertEquals(space, heard.size());
        assertEquals(BEST, search.best().orElseThrow().parameters());
        assertEquals(0, backend.openOperators());
    }

    @Test
    void onAHostWhatIsCloseToTheBestIsMeasuredTwice() {
        try (Backend threads = Backends.open("threads", Configuration.load())) {
            SpmvSearch search = search(threads, SearchBudget.EXHAUSTIVE, List.of());
            assertEquals(search.results().size(), heard.size());
            for (TuningResult result : search.results()) {
                TuningResult first = heard.stream()
                        .filter(r -> r.parameters().equals(result.parameters())).findFirst().orElseThrow();
                assertTrue(result.medianSeconds() <= first.medianSeconds(), result.parameters() + " got worse");
            }
        }
    }

    @Test
    void aBudgetOfTrialsIsKeptAndSpentWell() {
        FakeBackend backend = new FakeBackend(SpmvSearchTest::seconds);
        SpmvSearch search = search(backend, SearchBudget.ofTrials(24), List.of());
        assertEquals(24, search.results().size());
        assertEquals(BEST.cooperatingThreads(), search.best().orElseThrow().parameters().cooperatingThreads());
    }

    @Test
    void aBudgetOfTimeIsKept() {
        FakeBackend backend = new FakeBackend(parameters -> {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 1e-6;
        });
        long start = System.nanoTime();
        SpmvSearch search = search(backend, SearchBudget.ofSeconds(0.2), List.of());
        assertTrue(search.results().size() < 50 && !search.results().isEmpty());
        assertTrue((System.nanoTime() - start) * 1e-9 < 5);
    }

    @Test
    void goesOnWhereItWasLeft() {
        FakeBackend first = new FakeBackend(SpmvSearchTest::seconds);
        List<TuningResult> known = search(first, SearchBudget.ofTrials(20), List.of()).results();
        FakeBackend second = new FakeBackend(SpmvSearchTest::seconds);
        SpmvSearch rest = search(second, SearchBudget.EXHAUSTIVE, known);
        int space = second.kernels(SparseKernels.class).parameterSpace(matrix).size();
        assertEquals(space - known.stream().filter(result -> second.kernels(SparseKernels.class).parameterSpace(matrix)
                .contains(result.parameters())).count(), second.prepared());
        assertEquals(BEST, rest.best().orElseThrow().parameters());
    }

    @Test
    void failuresAreResultsToo() {
        SpmvParameters broken = FakeBackend.RULE.withBlockSize(256);
        FakeBackend backend = new FakeBackend(SpmvSearchTest::seconds)
                .failing(broken, new KernelCompilationException("k.cu", "a test", "line 1: error", ""));
        SpmvSearch search = search(backend, SearchBudget.EXHAUSTIVE, List.of());
        assertEquals(Invalidity.COMPILE, search.results().stream()
                .filter(result -> result.parameters().equals(broken)).findFirst().orElseThrow().invalidity());
        assertEquals(Invalidity.CONSTRAINTS, search.measure(FakeBackend.RULE.withBlockSize(33)).invalidity());
        FakeBackend other = new FakeBackend(SpmvSearchTest::seconds)
                .failing(broken, new UnsupportedKernelException("the product", "fake", "a test"));
        assertEquals(Invalidity.RUNTIME, search(other, SearchBudget.EXHAUSTIVE, List.of()).results().stream()
                .filter(result -> result.parameters().equals(broken)).findFirst().orElseThrow().invalidity());
    }

    @Test
    void measuresTheRealBackends() {
        SplittableRandom random = TestSeed.random("real search");
        CsrMatrix small = AwkwardMatrices.all(Precision.F32, random).get("stencil");
        for (String name : new String[]{"reference", "threads"}) {
            try (Backend backend = Backends.open(name, Configuration.load());
                    ProductMeter meter = new ProductMeter(backend, small, 1)) {
                SpmvSearch search = new SpmvSearch(meter, small, Fingerprint.of(small), List.of());
                search.run(new Advisor(backend, List.of()).advise(small), SearchBudget.EXHAUSTIVE, 1,
                        SearchListener.NONE);
                assertFalse(search.results().isEmpty());
                search.results().forEach(result -> assertTrue(result.isCorrect() && result.medianSeconds() < 1,
                        result.toString()));
            }
        }
    }

    @Test
    void budgetsMustAllowSomething() {
        assertThrows(IllegalArgumentException.class, () -> SearchBudget.ofSeconds(0));
        assertThrows(IllegalArgumentException.class, () -> SearchBudget.ofTrials(0));
        assertTrue(SearchBudget.EXHAUSTIVE.isExhaustive());
    }
}
