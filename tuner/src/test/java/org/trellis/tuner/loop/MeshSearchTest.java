package org.trellis.tuner.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.features.LoopFingerprint;
import org.trellis.tuner.profile.LoopResult;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.TuningDevice;

/** Searches with runs of their own, on the backends of the host. */
class MeshSearchTest {
    private static final MeshOptions OPTIONS = MeshOptions.of(Configuration.load());

    private static List<MeshSearch.Part> parts(SmallMesh mesh) {
        return List.of(new MeshSearch.Part(mesh.flux(), 2), new MeshSearch.Part(mesh.step(), 1));
    }

    @MustBeClosed
    private static SmallMesh mesh(Backend backend) {
        return new SmallMesh(backend, OPTIONS, 40, 17, Precision.F64, 3);
    }

    @Test
    void measuresTheWholeSpaceOnceAndLeavesTheDataAlone() {
        try (Backend backend = SmallMesh.open("threads"); SmallMesh mesh = mesh(backend)) {
            mesh.iterate();
            List<double[]> before = mesh.values();
            MeshSearch search = new MeshSearch(backend, parts(mesh), List.of(), LoopTuningSettings.DEFAULT);
            MeshSearch.Choice choice = search.parameters(SearchBudget.EXHAUSTIVE, 1, MeshSearch.Listener.NONE);
            for (int i = 0; i < before.size(); i++) {
                assertArrayEquals(before.get(i), mesh.values().get(i));
            }
            Profile profile = Profile.parse("text", search.export(Profile.empty()).toText());
            TuningDevice device = TuningDevice.of(backend);
            LoopFingerprint flux = LoopFingerprint.of(mesh.flux().declaration());
            List<LoopResult> results = profile.loopResults(device, flux);
            assertTrue(results.stream().allMatch(LoopResult::isCorrect), "a result was wrong");
            Set<LoopParameters> measured = new HashSet<>(results.stream().map(LoopResult::parameters).toList());
            assertTrue(measured.containsAll(
                    backend.kernels(LoopKernels.class).parameterSpace(mesh.flux().declaration())));
            assertEquals(profile.bestOfLoop(device, flux).orElseThrow().parameters(),
                    choice.loops().getFirst().best().parameters());
            assertEquals(2 * choice.loops().get(0).best().medianSeconds()
                    + choice.loops().get(1).best().medianSeconds(), choice.seconds(), 1e-12);
            choice.apply();
            assertEquals(choice.loops().getFirst().best().parameters(), mesh.flux().parameters());
            mesh.iterate();

            List<LoopResult> again = new ArrayList<>();
            new MeshSearch(backend, parts(mesh), List.of(profile), LoopTuningSettings.DEFAULT)
                    .parameters(SearchBudget.EXHAUSTIVE, 1, (loop, result, best, done, total) -> again.add(result));
            assertTrue(again.size() <= 1, again.size() + " sets were measured again");
        }
    }

    @Test
    void budgetsAreKept() {
        try (Backend backend = SmallMesh.open("simd"); SmallMesh mesh = mesh(backend)) {
            List<LoopResult> measured = new ArrayList<>();
            MeshSearch search = new MeshSearch(backend, parts(mesh), List.of(), LoopTuningSettings.DEFAULT);
            MeshSearch.Choice choice = search.parameters(SearchBudget.ofTrials(8), 1,
                    (loop, result, best, done, total) -> measured.add(result));
            assertEquals(8, measured.size());
            assertEquals(2, choice.loops().size());
        }
    }

    @Test
    void layoutsAreTriedAndGivenBack() {
        try (Backend backend = SmallMesh.open("threads"); SmallMesh mesh = mesh(backend)) {
            List<double[]> before = mesh.values();
            mesh.state().layout(Layout.SOA);
            Set<String> layouts = new HashSet<>();
            MeshSearch search = new MeshSearch(backend, parts(mesh), List.of(), LoopTuningSettings.DEFAULT);
            MeshSearch.Choice choice = search.layoutsAndParameters(SearchBudget.ofTrials(24), 1,
                    (loop, result, best, done, total) -> layouts.add(loop.layouts()));
            assertEquals(Set.of("aos", "soa", "mixed"), layouts);
            assertEquals(Layout.SOA, mesh.state().layout());
            assertTrue(mesh.mesh().dats().stream().filter(dat -> dat != mesh.state())
                    .allMatch(dat -> dat.layout() == Layout.AOS));
            choice.apply();
            for (Dat dat : mesh.mesh().dats()) {
                assertEquals(choice.layouts().get(dat), dat.layout());
            }
            for (int i = 0; i < before.size(); i++) {
                assertArrayEquals(before.get(i), mesh.values().get(i));
            }
            assertTrue(search.export(Profile.empty()).loops().size() >= 4);
        }
    }

    /** Names what is wrong. */
    @Test
    void wrongArgumentsAreRefused() {
        try (Backend backend = SmallMesh.open("threads")) {
            assertThrows(IllegalArgumentException.class,
                    () -> new MeshSearch(backend, List.of(), List.of(), LoopTuningSettings.DEFAULT));
        }
        try (Backend backend = SmallMesh.open("threads"); SmallMesh mesh = mesh(backend)) {
            assertThrows(IllegalArgumentException.class, () -> new MeshSearch.Part(mesh.flux(), -1));
        }
    }
}
