package org.trellis.bench.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.bench.model.ModelReport.Check;
import org.trellis.bench.model.ModelReport.Level;
import org.trellis.bench.model.ModelReport.Scale;
import org.trellis.bench.prediction.KernelTimes;
import org.trellis.bench.prediction.SolverTimes;
import org.trellis.bench.prediction.StepTimes;
import org.trellis.bench.report.Table;

/** Each figure that tables make of predictions beside one that was worked out by hand. */
class ModelFiguresTest {
    private static StepTimes step(int rings, double seconds) {
        return new StepTimes(rings, seconds, 0.5 * seconds, 0.25 * seconds, 0, 0, 0.25 * seconds, 0, 0, 1, 2, 16);
    }

    private static Scale scale(int ranks, long rows, double iteration) {
        return new Scale(ranks, rows, 4 * rows, KernelTimes.ofProcessor(100, 400, 1e-9, 2e-9, 1e-6, 1e-9),
                List.of(step(1, 1e-3)), List.of(step(1, 3e-3), step(2, 2e-3), step(3, 2e-3)), step(1, iteration),
                List.of(new SolverTimes("cg", 1, iteration, iteration / 2, 0, iteration / 2, 0, 2)));
    }

    private static Object last(Table table, int row) {
        return table.rows().get(row).getLast();
    }

    /** Half the time for the same matrix is twice as fast; twice the time for four times the matrix is, too. */
    @Test
    void speedUpIsWorkOverTime() {
        Table strong = ModelTables.solvers(List.of(scale(1, 100, 8e-3), scale(4, 100, 4e-3)));
        assertEquals(1.0, last(strong, 0));
        assertEquals(2.0, last(strong, 1));
        Table weak = ModelTables.solvers(List.of(scale(1, 100, 8e-3), scale(4, 400, 16e-3)));
        assertEquals(2.0, last(weak, 1));
    }

    @Test
    void bestIsTheFirstOfTheShortest() {
        assertEquals(2, ModelReport.best(scale(1, 100, 1).sweeps()).rings());
        List<Object> level = ModelTables.levels(List.of(new Level(0, false, scale(4, 100, 1)))).rows().getFirst();
        assertEquals(List.of(0, 100L, 400L, 4, 3e-3, 2e-3, 2), level);
    }

    /** 1.5 ms predicted and 2 ms measured are a quarter too short; no number of rings stands for the best ones. */
    @Test
    void errorsAreRelativeToMeasurements() {
        Check check = new Check("amg-cg", 2, 0, 2e-3, 1.5e-3);
        assertEquals(-0.25, check.error(), 1e-15);
        ArrayNode array = new ObjectMapper().createArrayNode();
        ModelTables.checks(List.of(check, new Check("cg", 2, 1, 1e-3, 1.5e-3))).putInto(array);
        assertEquals(-0.25, array.get(0).get("error").asDouble(), 1e-15);
        assertEquals(0, array.get(0).get("rings").asInt());
        assertEquals(2e-3, array.get(0).get("measuredSeconds").asDouble());
        assertEquals(1.5e-3, array.get(0).get("predictedSeconds").asDouble());
        assertEquals(0.5, array.get(1).get("error").asDouble(), 1e-15);
    }

    @Test
    void stepsShowWhatTheyAreMadeOf() {
        List<Object> row = ModelTables.steps(List.of(scale(4, 100, 1)), Scale::products).rows().getFirst();
        assertEquals(List.of(4, 1, 1e-3, 0.5e-3, 0.25e-3, 0.0, 0.0, 0.25e-3, 2.0, 16.0, 1.0), row);
    }
}
