package org.trellis.cuda.algebra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;

class KernelFilesTest {
    private static final Pattern KERNEL = Pattern.compile("__launch_bounds__\\(THREADS\\) (\\w+)\\(");

    @Test
    void everyFileHasTheKernelsThatItIsSaidToHave() {
        check(AlgebraLaunch.AGGREGATION, AlgebraLaunch.Group.NONE);
        check(AlgebraLaunch.ROW_GROUPS, new AlgebraLaunch.Group(16, 16, 64));
    }

    private static void check(Map<String, Set<String>> files, AlgebraLaunch.Group group) {
        files.forEach((file, kernels) -> {
            String text = AlgebraLaunch.source(file, Precision.F64, AlgebraLaunch.THREADS, group).text();
            Set<String> found = KERNEL.matcher(text).results().map(MatchResult::group)
                    .map(match -> match.replaceAll(".* |\\(", "")).collect(Collectors.toSet());
            assertEquals(kernels, found, file);
        });
    }

    @Test
    void aKernelIsFoundByItsName() {
        assertEquals("spectrum.cu", AlgebraLaunch.fileOf("lanczosProduct", AlgebraLaunch.AGGREGATION));
        assertEquals("productrows.cu", AlgebraLaunch.fileOf("fillRows", AlgebraLaunch.ROW_GROUPS));
        assertEquals("no file has a kernel noSuchKernel", assertThrows(IllegalArgumentException.class,
                () -> AlgebraLaunch.fileOf("noSuchKernel", AlgebraLaunch.ROW_GROUPS)).getMessage());
    }
}
