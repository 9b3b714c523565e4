package org.trellis.bench.measurement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;

class MeasureCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), arguments);
    }

    @Test
    void measurementsAreListed() {
        assertEquals(ExitCode.OK, run("measure"), err::toString);
        for (Measurement one : new HarnessMeasurements().measurements()) {
            assertTrue(out.toString().contains(one.name()) && out.toString().contains(one.description()),
                    one::toString);
        }
    }

    @Test
    void argumentsThatMayBeLeftOutAreNotCounted() {
        assertEquals(2, new Measurement("a", "B C [D] [E...]", "", arguments -> {}).least());
        assertEquals(0, new Measurement("a", "", "", arguments -> {}).least());
    }

    @Test
    void wrongWordsAreNamed() {
        assertEquals(ExitCode.USAGE, run("measure", "colours"));
        assertTrue(err.toString().contains("'colours'") && err.toString().contains("form-tables"), err::toString);
        assertEquals(ExitCode.USAGE, run("measure", "assembly", "1", "8"));
        assertTrue(err.toString().contains("with 2 arguments, expected DEGREE CELLS SECONDS THREADS"), err::toString);
        assertEquals(ExitCode.USAGE, run("measure", "assembly", "1", "eight", "0.1", "1"));
        assertTrue(err.toString().contains("\"eight\""), err::toString);
        assertEquals(ExitCode.FAILED, run("measure", "systems", "1", "5", "numpy=python3", "poisson2d:nx=6"));
        assertTrue(err.toString().contains("library 'numpy=python3', expected scipy=PYTHON, petsc=PYTHON or none"),
                err::toString);
    }

    /** SciPy is not asked: a JVM without Python has to pass too. */
    @Test
    void aWrongInterpreterIsNamed() {
        assertEquals(ExitCode.FAILED, run("measure", "algebra", "poisson2d:nx=3", "1", "no-such-python"));
        assertTrue(err.toString().contains("no-such-python"), err::toString);
    }

    /** One of each kind, as small as it goes. */
    @Test
    void programsRun() {
        assertEquals(ExitCode.OK, run("measure", "form-setup", "quadrilateral", "4", "2", "csr", "1"), err::toString);
        assertEquals(ExitCode.OK, run("measure", "multigrid", "threads", "1", "elasticity2d:nx=6"), err::toString);
        assertEquals(ExitCode.OK, run("measure", "systems", "1", "5", "none", "poisson2d:nx=6"), err::toString);
        assertEquals(ExitCode.OK, run("measure", "throughput", "poisson2d:nx=6", "1", "0", "0.01",
                Long.toString(System.currentTimeMillis())), err::toString);
        assertEquals(ExitCode.OK, run("measure", "long-run", "20", "2", "poisson2d:nx=6"), err::toString);
        assertEquals(ExitCode.OK, run("measure", "s-step", "poisson2d:nx=6", "2", "1", "8"), err::toString);
        assertEquals(ExitCode.OK, run("measure", "smoothers", "reference", "5", "9", "1", "jacobi"), err::toString);
        assertNotEquals(ExitCode.OK, run("measure", "long-run", "20", "0", "poisson2d:nx=6"));
        assertTrue(err.toString().contains("rounds are 0, expected at least 1"), err::toString);
    }
}
