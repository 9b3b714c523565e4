package org.trellis.tuner.product.online;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;
import org.trellis.tuner.contest.AdviceOrigin;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.model.SpmvModel;
import org.trellis.tuner.product.advice.Advice;

/** Where a search goes whose ranking misses the best. */
class OnlineSearchTest {
    private static final SpmvParameters CHUNKS = SpmvParameters.of(SpmvFamily.SELL_RUNS).withBlockSize(128)
            .withChunks(32, 1).withIndexBits(16);
    private static final SpmvParameters CSR = SpmvParameters.of(SpmvFamily.CSR).withBlockSize(128);

    /** A space with its times, in which only sets of the same family are neighbours. */
    private record Space(Map<SpmvParameters, Double> seconds) implements Neighbourhood {
        @Override
        public boolean fits(SpmvParameters parameters) {
            return seconds.containsKey(parameters);
        }

        @Override
        public Optional<SpmvParameters> rows(SpmvParameters from, boolean twice) {
            return Optional.empty();
        }

        @Override
        public Optional<SpmvParameters> threads(SpmvParameters from, boolean twice) {
            return Optional.empty();
        }

        @Override
        public Optional<SpmvParameters> block(SpmvParameters from, boolean more) {
            return Optional.empty();
        }

        @Override
        public List<SpmvParameters> others(SpmvParameters from) {
            return seconds.keySet().stream().filter(other -> other.family() == from.family() && !other.equals(from))
                    .toList();
        }
    }

    private static OnlineSearch search(Map<SpmvParameters, Double> seconds, SpmvParameters start,
            SpmvParameters... ranked) {
        MatrixFeatures features = MatrixFeatures.of(
                AwkwardMatrices.all(Precision.F64, TestSeed.random("search")).get("uneven rows"));
        List<SpmvModel.Ranked> ranking = List.of(ranked).stream().map(one -> new SpmvModel.Ranked(one, 1)).toList();
        OnlineSearch search = new OnlineSearch(new Advice(start, AdviceOrigin.MODEL, start, ranking, features),
                new Space(seconds), TuningSettings.DEFAULT);
        while (!search.isFinished()) {
            SpmvParameters next = search.next();
            search.measured(next, seconds.get(next));
        }
        return search;
    }

    private static List<SpmvParameters> tried(OnlineSearch search) {
        return search.history().stream().map(OnlineSearch.Sampled::parameters).toList();
    }

    /** The best is one step from what was nearly as fast, in another family than the fastest that was ranked. */
    @Test
    void searchesAroundAllThatWereFast() {
        Map<SpmvParameters, Double> seconds = new LinkedHashMap<>();
        seconds.put(CHUNKS, 1.0);
        seconds.put(CSR.withCooperatingThreads(2), 1.1);
        seconds.put(CSR, 0.8);
        seconds.put(CSR.withCooperatingThreads(16), 20.0);
        OnlineSearch search = search(seconds, CHUNKS, CSR.withCooperatingThreads(2));
        assertEquals(CSR, search.best());
        assertFalse(tried(search).contains(CSR.withCooperatingThreads(16)), "four steps from the best");
    }

    @Test
    void doesNotSearchAroundWhatWasSlow() {
        Map<SpmvParameters, Double> seconds = new LinkedHashMap<>();
        seconds.put(CHUNKS, 1.0);
        seconds.put(CSR.withCooperatingThreads(2), 1.4);
        seconds.put(CSR, 0.8);
        OnlineSearch search = search(seconds, CHUNKS, CSR.withCooperatingThreads(2));
        assertEquals(CHUNKS, search.best());
        assertFalse(tried(search).contains(CSR), "one step from a set that takes 1.4 times as long");
    }

    /** Of sets that differ in the size of blocks the ranking proposes one; the others come after it has won. */
    @Test
    void triesOneSizeOfBlocksOfEachRankedSet() {
        Map<SpmvParameters, Double> seconds = new LinkedHashMap<>();
        SpmvParameters wide = CHUNKS.withBlockSize(512);
        SpmvParameters rows = CHUNKS.withRowsPerGroup(2).withChunks(64, 1);
        seconds.put(CSR, 1.0);
        seconds.put(CHUNKS, 0.9);
        seconds.put(wide, 0.85);
        seconds.put(rows, 0.95);
        OnlineSearch search = search(seconds, CSR, CHUNKS, wide, rows);
        List<SpmvParameters> tried = tried(search);
        assertEquals(List.of(CSR, CHUNKS, rows), tried.subList(0, 3));
        assertTrue(tried.contains(wide), tried.toString());
        assertEquals(wide, search.best());
    }
}
