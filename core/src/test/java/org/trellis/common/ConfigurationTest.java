package org.trellis.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

final class ConfigurationTest {
    private static Properties properties(String... pairs) {
        Properties properties = new Properties();
        for (int i = 0; i < pairs.length; i += 2) {
            properties.setProperty(pairs[i], pairs[i + 1]);
        }
        return properties;
    }

    @Test
    void takesCodeOverPropertyOverEnvironmentOverDefault() {
        Map<String, String> environment = Map.of("TRELLIS_THREADS", "3", "TRELLIS_BACKEND", "threads", "PATH", "x");
        Properties properties = properties("trellis.threads", "5", "java.home", "x");
        Configuration read = Configuration.builder(properties, environment).build();
        assertEquals(5, read.get(ConfigurationKeys.THREADS));
        assertEquals("system property trellis.threads", read.origin(ConfigurationKeys.THREADS));
        assertEquals("threads", read.get(ConfigurationKeys.BACKEND));
        assertEquals("environment variable TRELLIS_BACKEND", read.origin(ConfigurationKeys.BACKEND));
        assertEquals(16777216L, read.get(ConfigurationKeys.CACHE_MINIMUM_BYTES));
        assertEquals("default", read.origin(ConfigurationKeys.CACHE_MINIMUM_BYTES));
        Configuration set = Configuration.builder(properties, environment).set(ConfigurationKeys.THREADS, 7).build();
        assertEquals(7, set.get(ConfigurationKeys.THREADS));
        assertEquals("code", set.origin(ConfigurationKeys.THREADS));
    }

    @Test
    void countsProcessorsByDefault() {
        int threads = Configuration.builder(properties(), Map.of()).build().get(ConfigurationKeys.THREADS);
        assertEquals(Runtime.getRuntime().availableProcessors(), threads);
    }

    @Test
    void readsAgainWhatChanged() {
        String name = ConfigurationKeys.CUDA_DEVICE.name();
        assertSame(Configuration.load(), Configuration.load());
        try {
            System.setProperty(name, "7");
            assertEquals(7, Configuration.load().get(ConfigurationKeys.CUDA_DEVICE));
            System.setProperty(name, "8");
            assertEquals(8, Configuration.load().get(ConfigurationKeys.CUDA_DEVICE));
            System.setProperty(name, "x");
            assertThrows(IllegalArgumentException.class, Configuration::load);
        } finally {
            System.clearProperty(name);
        }
        assertEquals(0, Configuration.load().get(ConfigurationKeys.CUDA_DEVICE));
    }

    @Test
    void refusesUnknownNames() {
        IllegalArgumentException property = assertThrows(IllegalArgumentException.class,
                () -> Configuration.builder(properties("trellis.thread", "5"), Map.of()).build());
        assertTrue(property.getMessage().startsWith("system property trellis.thread is not a setting"),
                property.getMessage());
        IllegalArgumentException variable = assertThrows(IllegalArgumentException.class,
                () -> Configuration.builder(properties(), Map.of("TRELLIS_THREAD", "5")).build());
        assertTrue(variable.getMessage().startsWith("environment variable TRELLIS_THREAD is not"),
                variable.getMessage());
    }

    @Test
    void leavesTestPropertiesAndLauncherVariablesAlone() {
        Configuration.builder(properties("trellis.test.seed", "1"),
                Map.of("TRELLIS_JAVA", "x", "TRELLIS_STANDARD_ERROR_READER", "1")).build();
    }

    @Test
    void namesKeyValueAndOriginOfAnUnusableValue() {
        for (String wrong : new String[]{"0", "1025", "two", "99999999999999999999"}) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                    () -> Configuration.builder(properties("trellis.threads", wrong), Map.of()).build());
            assertEquals("trellis.threads is '" + wrong + "' (from system property trellis.threads): "
                    + "expected a whole number from 1 to 1024", e.getMessage());
        }
    }

    @Test
    void refusesSeveralFilesWhereOneIsMeant() {
        String several = "a.kernels" + File.pathSeparator + "b.kernels";
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> Configuration.builder(properties("trellis.cuda.kernel.list", several), Map.of()).build());
        assertEquals("trellis.cuda.kernel.list is '" + several + "' (from system property trellis.cuda.kernel.list): "
                + "expected one file, but there are 2", e.getMessage());
        assertEquals(List.of(Path.of("a.kernels")),
                Configuration.builder(properties("trellis.cuda.kernel.list", "a.kernels"), Map.of()).build()
                        .get(ConfigurationKeys.CUDA_KERNEL_LIST));
    }

    @Test
    void keepsListsOfFolders() {
        List<Path> folders = List.of(Path.of("a b"), Path.of("c"));
        Configuration set = Configuration.builder(properties(), Map.of()).set(ConfigurationKeys.MATRICES_PATH, folders)
                .build();
        assertEquals(folders, set.get(ConfigurationKeys.MATRICES_PATH));
        Configuration read = Configuration
                .builder(properties("trellis.matrices.path", "a b" + File.pathSeparator + "c"), Map.of()).build();
        assertEquals(folders, read.get(ConfigurationKeys.MATRICES_PATH));
    }

    @Test
    void keysHaveDistinctNames() {
        assertEquals(ConfigurationKeys.all().size(),
                ConfigurationKeys.all().stream().map(ConfigurationKey::name).distinct().count());
    }
}
