package org.trellis.tuner.solver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the times of a choice are some to compare others with. */
class ContenderTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "''                                   | false",
        "0.1                                  | false",
        "1.5                                  | true",
        "0.1, 0.01                            | false",
        "0.1, 0.09                            | true",
        "0.1, 0.05, 0.03, 0.02                | false",
        "0.1, 0.05, 0.03, 0.025               | true",
        "0.1, 0.05, 0.02, 0.01, 0.005, 0.0025 | true"
    })
    void isSteadyOnceTimesFallNoMore(String times, boolean expected) {
        Contender contender = new Contender(SolverChoice.parse("cg with jacobi"));
        for (String time : times.split(", *")) {
            if (!time.isEmpty()) {
                contender.solved(Double.parseDouble(time));
            }
        }
        assertEquals(expected, contender.isSteady());
    }
}
