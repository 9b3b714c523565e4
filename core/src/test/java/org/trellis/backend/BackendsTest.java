package org.trellis.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;

final class BackendsTest {
    @Test
    void opensByNameAndByConfiguration() {
        Configuration configuration = Configuration.builder().set(ConfigurationKeys.BACKEND, "reference").build();
        try (Backend backend = Backends.open(configuration)) {
            assertEquals("reference", backend.name());
        }
    }

    @Test
    void opensTheAvailableOneOfHighestPriority() {
        BackendProvider best = Backends.providers().stream().filter(p -> p.probe().available()).findFirst()
                .orElseThrow();
        try (Backend backend = Backends.open(Backends.BEST, Configuration.load())) {
            assertEquals(best.name(), backend.name());
        }
    }

    @Test
    void explainsWhatIsThereWhenANameIsUnknown() {
        BackendUnavailableException e = assertThrows(BackendUnavailableException.class,
                () -> Backends.open("opencl", Configuration.load()));
        assertTrue(e.getMessage().startsWith("backend 'opencl' is unknown, expected one of these or 'best'."),
                e.getMessage());
        assertTrue(e.getMessage().contains("reference: available (plain Java on one thread)."), e.getMessage());
    }

    @Test
    void looksForProvidersOnce() {
        assertSame(Backends.providers(), Backends.providers());
    }

    @Test
    void providersGiveReasonsAndDistinctNames() {
        assertEquals(Backends.providers().size(),
                Backends.providers().stream().map(BackendProvider::name).distinct().count());
        Backends.providers().forEach(p -> assertFalse(p.probe().reason().isBlank(), p.name()));
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void refusesMissingKernelsAndUseAfterClose() {
        Backend backend = Backends.open("reference", Configuration.load());
        UnsupportedKernelException e = assertThrows(UnsupportedKernelException.class,
                () -> backend.kernels(Runnable.class));
        assertTrue(e.getMessage().startsWith("backend 'reference' cannot run Runnable: it has ["), e.getMessage());
        assertEquals("reference", e.backend());
        backend.close();
        backend.close();
        assertThrows(IllegalStateException.class, () -> backend.vector(Precision.F64, 3));
        assertThrows(IllegalStateException.class, () -> backend.kernels(Runnable.class));
    }
}
