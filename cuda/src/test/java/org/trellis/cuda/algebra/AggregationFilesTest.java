package org.trellis.cuda.algebra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;

class AggregationFilesTest {
    private static final Pattern KERNEL = Pattern.compile("__launch_bounds__\\(THREADS\\) (\\w+)\\(");

    @Test
    void everyFileHasTheKernelsThatItIsSaidToHave() {
        AlgebraLaunch.AGGREGATION.forEach((file, kernels) -> {
            String text = AlgebraLaunch.source(file, Precision.F64, AlgebraLaunch.THREADS, AlgebraLaunch.Group.NONE)
                    .text();
            Set<String> found = KERNEL.matcher(text).results().map(MatchResult::group)
                    .map(match -> match.replaceAll(".* |\\(", "")).collect(Collectors.toSet());
            assertEquals(kernels, found, file);
        });
        assertEquals("spectrum.cu", AlgebraLaunch.aggregationFile("lanczosProduct"));
        assertThrows(IllegalArgumentException.class, () -> AlgebraLaunch.aggregationFile("noSuchKernel"));
    }
}
