package org.trellis.distributed.fem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.fem.FormOptions;
import org.trellis.fem.Storage;

/**
 * Programs of finite elements over ranks with kernels that run on the host, on two devices and beside a host. All cases
 * with {@code -Dtrellis.test.emulation=some}, which takes some minutes.
 */
class EmulatedFormsTest {
    @TempDir
    private static Path folder;

    @MustBeClosed
    private static Backend open(int rank) {
        return rank == 2
                ? Backends.open("threads", Configuration.builder().build())
                : EmulatedGpu.in(folder).open(rank % 2);
    }

    @Test
    void devicesAndHostsSolveAsOneHost() {
        compare("squares", Storage.MATRIX_FREE_FACTORED, "p-multigrid", 3);
    }

    @ParameterizedTest
    @EnabledIfSystemProperty(named = "trellis.test.emulation", matches = ".+")
    @CsvSource({"squares, MATRIX_FREE_FACTORED, jacobi, 2", "squares, CSR, chebyshev, 2", "body, CSR, block-jacobi, 2",
        "squares, CSR, amg, 2", "nested, MATRIX_FREE, geometric, 2", "body, LOCAL_MATRICES, jacobi, 2",
        "thick, CSR, p-multigrid, 2", "squares, CSR_SEARCH, ssor, 2", "bent, LAZY_ELLPACK, jacobi, 2"})
    void devicesSolveAsOneHost(String name, Storage storage, String preconditioner, int ranks) {
        compare(name, storage, preconditioner, ranks);
    }

    private static void compare(String name, Storage storage, String preconditioner, int ranks) {
        FormPrograms.Case problem = FormPrograms.named(name);
        FormOptions options = FormPrograms.options(problem, storage);
        FormPrograms.Solution one;
        try (Backend host = open(2)) {
            one = FormPrograms.solve(problem, options, "cg", preconditioner, host);
        }
        double most = Arrays.stream(one.nodes()).map(Math::abs).max().orElseThrow();
        for (FormPrograms.Solution solution : ThreadRanks.run(ranks, communicator -> {
            try (Backend own = open(communicator.rank())) {
                DeviceTransports.start(communicator, own);
                try (Backend backend = DistributedForms.on(own, communicator)) {
                    return FormPrograms.solve(problem, options, "cg", preconditioner, backend);
                }
            }
        })) {
            assertArrayEquals(one.nodes(), solution.nodes(), 1e-8 * most);
            assertEquals(one.iterations(), solution.iterations(), preconditioner.equals("ssor") ? 20 : 2,
                    preconditioner);
        }
    }
}
