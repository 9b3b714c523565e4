package org.trellis.distributed.halo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.mesh.partition.Partition;
import org.trellis.sparse.CsrMatrix;

/**
 * Sizes of rings and redundant work on regular grids, against numbers that were worked out by a program of its own
 * (breadth-first search over the whole graph): ring-sizes.csv.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RingSizesTest {
    /** What is known of one part of one problem. */
    private record Line(String problem, String partition, int[] numbers) {
        int parts() {
            return numbers[0];
        }

        int part() {
            return numbers[1];
        }
    }

    private static List<Line> lines() throws IOException {
        List<Line> lines = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                RingSizesTest.class.getResourceAsStream("ring-sizes.csv"), StandardCharsets.UTF_8))) {
            reader.readLine();
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                int end = text.startsWith("\"") ? text.indexOf('"', 1) : text.indexOf(',');
                String problem = text.startsWith("\"") ? text.substring(1, end) : text.substring(0, end);
                String[] rest = text.substring(text.indexOf(',', end) + 1).split(",", -1);
                int[] numbers = new int[rest.length - 1];
                for (int i = 0; i < numbers.length; i++) {
                    numbers[i] = Integer.parseInt(rest[i + 1]);
                }
                lines.add(new Line(problem, rest[0], numbers));
            }
        }
        return lines;
    }

    @TestFactory
    Stream<DynamicTest> ringsAreAsLargeAsTheyShouldBe() throws IOException {
        Map<String, List<Line>> problems = new LinkedHashMap<>();
        for (Line line : lines()) {
            problems.computeIfAbsent(line.problem + " in " + line.partition, p -> new ArrayList<>()).add(line);
        }
        assertFalse(problems.isEmpty());
        return problems.entrySet().stream().map(problem -> DynamicTest.dynamicTest(problem.getKey(),
                () -> check(problem.getValue())));
    }

    private static void check(List<Line> expected) {
        Line first = expected.getFirst();
        CsrMatrix matrix = MatrixSpec.parse(first.problem).generate(Precision.F64, ProgressListener.NONE);
        Partition partition = blocks(matrix.rows(), first);
        assertEquals(first.parts(), expected.size());
        ThreadRanks.run(first.parts(), communicator -> {
            PartitionedMatrix part = PartitionedMatrix.scatter(communicator, 0, matrix, partition);
            checkPart(communicator, part, expected.get(communicator.rank()));
            return null;
        });
    }

    private static void checkPart(Communicator communicator, PartitionedMatrix part, Line line) {
        assertEquals(communicator.rank(), line.part());
        int[] numbers = line.numbers();
        for (int rings = 1; rings <= 5; rings++) {
            try (HaloPlan plan = HaloPlan.of(part, rings)) {
                HaloStatistics statistics = plan.statistics();
                assertEquals(numbers[2], statistics.ownedRows());
                assertEquals(numbers[3], statistics.boundaryRows());
                assertEquals(numbers[4], statistics.interiorRows());
                assertEquals(numbers[5], statistics.ownedNonZeros());
                for (int ring = 1; ring <= rings; ring++) {
                    assertEquals(numbers[5 + ring], statistics.ringRows()[ring - 1], "rows of ring " + ring);
                }
                for (int ring = 1; ring < rings; ring++) {
                    assertEquals(numbers[10 + ring], statistics.ringNonZeros()[ring - 1], "entries of ring " + ring);
                }
                assertEquals(rings == 1 ? 0 : numbers[13 + rings], statistics.redundantNonZeros());
            }
        }
    }

    /** Part of index i along an axis with m points and q blocks: ⌊i q / m⌋, x fastest. */
    private static Partition blocks(int rows, Line line) {
        String[] counts = line.partition.substring("blocks ".length()).split("x", -1);
        boolean elastic = line.problem.startsWith("elasticity2d");
        int nx = Integer.parseInt(line.problem.replaceAll(".*nx=(\\d+).*", "$1"));
        int[] points = {nx, elastic ? nx + 1 : nx, line.problem.startsWith("poisson3d") ? nx : 1};
        int unknowns = elastic ? 2 : 1;
        int[] partOf = new int[rows];
        for (int row = 0; row < rows; row++) {
            int node = row / unknowns;
            int part = 0;
            int stride = 1;
            for (int axis = 0; axis < counts.length; axis++) {
                int blocks = Integer.parseInt(counts[axis]);
                part += stride * (node % points[axis] * blocks / points[axis]);
                stride *= blocks;
                node /= points[axis];
            }
            partOf[row] = part;
        }
        return new Partition(partOf, line.parts());
    }
}
